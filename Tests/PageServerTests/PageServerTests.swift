import PageServer
import Testing
