/// A chart with a title and a sentence that says what to see in it.
package struct Panel: Sendable {
    package enum Chart: Sendable {
        case timeline(Timeline)
        case histogram(Histogram)
        case curves(Curves)
    }

    package var title: String
    package var caption: String
    package var chart: Chart

    package init(title: String, caption: String, chart: Chart) {
        self.title = title
        self.caption = caption
        self.chart = chart
    }
}
