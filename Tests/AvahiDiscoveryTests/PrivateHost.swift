import Foundation
import LibC
import Synchronization

/// A thread in network and mount namespaces of its own, with its own /run, so that D-Bus and avahi-daemon can be started
/// and killed there and nothing is said outside. Whatever is begun on the thread lives in the namespaces too.
final class PrivateHost: Sendable {
    private let queue = Mutex<[@Sendable () -> Bool]>([])
    private let hasWork = DispatchSemaphore(value: 0)
    private let processes = Mutex<[String: pid_t]>([:])

    /// Whether this process may make one.
    static let isPossible: Bool = {
        guard geteuid() == 0, access("/usr/sbin/avahi-daemon", X_OK) == 0, let host = PrivateHost() else {
            return false
        }
        host.end()
        return true
    }()

    /// Nil where the system does not allow it.
    init?() {
        Thread.detachNewThread { [self] in
            while true {
                hasWork.wait()
                guard queue.withLock({ $0.removeFirst() })() else { return }
            }
        }
        guard perform({ PrivateHost.leaveNamespaces() && PrivateHost.sh(PrivateHost.furnish) == 0 }) else {
            end()
            return nil
        }
    }

    /// Runs this on the thread and waits for it.
    func perform<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) -> Answer {
        let answer = Mutex<Answer?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        queue.withLock {
            $0.append {
                let result = body()
                answer.withLock { $0 = result }
                isDone.signal()
                return true
            }
        }
        hasWork.signal()
        isDone.wait()
        return answer.withLock { $0! }
    }

    /// Runs a shell command on this host; its exit status.
    @discardableResult
    func run(_ command: String) -> Int32 { perform { PrivateHost.sh(command) } }

    /// Starts a program on this host and forgets it until `kill`.
    func start(_ name: String, _ command: String) {
        let process = perform { PrivateHost.spawn("exec \(command)") }
        processes.withLock { $0[name] = process }
    }

    /// Ends a program that `start` began, by SIGKILL unless another signal is named, and buries it.
    func kill(_ name: String, _ signal: Int32 = SIGKILL) {
        guard let process = processes.withLock({ $0.removeValue(forKey: name) }) else { return }
        _ = LibC.kill(process, signal)
        _ = PrivateHost.wait(for: process)
    }

    func startBus() {
        run("rm -f /run/dbus/system_bus_socket")
        start("bus", "dbus-daemon --system --nofork --nopidfile")
        run("for i in $(seq 100); do [ -S /run/dbus/system_bus_socket ] && exit; sleep 0.05; done")
    }

    /// Starts avahi-daemon, and waits until it answers: a client that comes before gives up.
    func startAvahi() {
        start("avahi", "avahi-daemon -f /run/avahi.conf --no-rlimits")
        let question = "--dest=org.freedesktop.Avahi / org.freedesktop.Avahi.Server.GetVersionString"
        run("for i in $(seq 200); do dbus-send --system --print-reply \(question) && exit; sleep 0.05; done")
    }

    /// Kills what is left. The namespaces go with the thread.
    func end() {
        for name in processes.withLock({ Array($0.keys) }) { kill(name) }
        queue.withLock { $0.append { false } }
        hasWork.signal()
    }

    private static let furnish = """
        mount --make-rprivate / && mount -t tmpfs -o mode=755 tmpfs /run && ip link set lo up &&
        mkdir -p /run/dbus /run/avahi-daemon && chown avahi:avahi /run/avahi-daemon &&
        printf '%s\\n' '[server]' allow-interfaces=lo host-name=testhost use-ipv4=yes use-ipv6=yes \
            '[wide-area]' enable-wide-area=no '[publish]' publish-workstation=no publish-hinfo=no >/run/avahi.conf
        """

    /// unshare(2), which the Glibc module does not show, for this thread alone.
    private static func leaveNamespaces() -> Bool {
        typealias Unshare = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "unshare") else { return false }
        let newNetwork: Int32 = 0x4000_0000
        let newMounts: Int32 = 0x0002_0000
        let ownFolder: Int32 = 0x0000_0200
        return unsafeBitCast(symbol, to: Unshare.self)(newNetwork | newMounts | ownFolder) == 0
    }

    private static func sh(_ command: String) -> Int32 { wait(for: spawn(command)) }

    private static func spawn(_ command: String) -> pid_t {
        var process: pid_t = 0
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
        }
        var arguments = ["/bin/sh", "-c", command].map { (text: String) in strdup(text) } + [nil]
        defer { arguments.forEach { free($0) } }
        return posix_spawn(&process, "/bin/sh", &files, nil, &arguments, environ) == 0 ? process : -1
    }

    private static func wait(for process: pid_t) -> Int32 {
        var status: Int32 = -1
        guard process > 0 else { return -1 }
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
