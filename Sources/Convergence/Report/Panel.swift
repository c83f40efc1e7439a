/// A chart with a title and a sentence that says what to see in it.
public struct Panel: Sendable {
    public enum Chart: Sendable {
        case timeline(Timeline)
        case histogram(Histogram)
    }

    public var title: String
    public var caption: String
    public var chart: Chart

    public init(title: String, caption: String, chart: Chart) {
        self.title = title
        self.caption = caption
        self.chart = chart
    }
}
