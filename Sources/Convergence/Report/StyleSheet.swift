/// How the page looks: in light and in the dark, in a wide and in a narrow window, and on paper.
enum StyleSheet {
    static let text = colours + page + plots + diagram + tables + paper

    private static let colours = """

        :root {
          --paper: #f7f5f0; --card: #fffefb; --ink: #1f2328; --soft: #5f6670; --line: #dcd8cf; --grid: #ebe7de;
          --curve: #0f6c74; --area: rgb(15 108 116 / .13); --bar: #2b7f88; --mark: #1f2328;
          --cut: #e3a008; --down: #c2410c; --other: #7c6fb0; --healing: #3f8f5b;
          --held: #1f7a45; --held-paper: #e3f2e7; --broken: #a61b1b; --broken-paper: #fbe6e2; --code: #f0ece3;
        }
        @media screen and (prefers-color-scheme: dark) {
          :root {
            --paper: #131619; --card: #1b1f23; --ink: #e7e4dd; --soft: #9ba3ad; --line: #31373d; --grid: #262b30;
            --curve: #62cbd3; --area: rgb(98 203 211 / .16); --bar: #4aa7b0; --mark: #e7e4dd;
            --cut: #d79b1c; --down: #e0693a; --other: #9d90d6; --healing: #5fb57e;
            --held: #7bd39b; --held-paper: #17301f; --broken: #ff9b8d; --broken-paper: #3a1a17; --code: #23282d;
          }
        }
        """

    private static let page = """

        * { box-sizing: border-box; }
        body {
          margin: 0; background: var(--paper); color: var(--ink);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
          font-variant-numeric: tabular-nums; -webkit-text-size-adjust: 100%;
        }
        main { max-width: 68rem; margin: 0 auto; padding: clamp(1.25rem, 4vw, 3rem) clamp(.9rem, 4vw, 2.5rem) 4rem; }
        .kind { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .09em; text-transform: uppercase; }
        h1 { margin: .1em 0 .45em; font-size: clamp(1.7rem, 5vw, 2.6rem); line-height: 1.12; letter-spacing: -.02em;
          overflow-wrap: anywhere; text-wrap: balance; }
        h2 { margin: 0; font-size: 1.06rem; line-height: 1.3; letter-spacing: -.005em; }
        .note { margin: .2rem 0 .9rem; color: var(--soft); font-size: .9rem; max-width: 44rem; }
        .verdict { display: inline-flex; gap: .55em; align-items: center; margin: 0; padding: .35em .95em .35em .5em;
          border-radius: 99px; font-weight: 600; }
        .verdict .sign { display: inline-grid; place-items: center; width: 1.5em; height: 1.5em; border-radius: 50%;
          font-size: .85em; color: var(--card); }
        .held { background: var(--held-paper); color: var(--held); } .held .sign { background: var(--held); }
        .broken { background: var(--broken-paper); color: var(--broken); } .broken .sign { background: var(--broken); }
        .open { background: var(--code); color: var(--ink); } .open .sign { background: var(--soft); }
        .headlines { display: flex; flex-wrap: wrap; gap: 1.1rem 2.4rem; margin: 1.7rem 0 2rem; }
        .headlines div { display: flex; flex-direction: column; }
        .headlines dd { margin: 0; font-size: clamp(1.35rem, 3.4vw, 1.9rem); line-height: 1.15; font-weight: 600;
          letter-spacing: -.02em; }
        .headlines dt { color: var(--soft); font-size: .85rem; }
        .panel { margin: 0 0 1.1rem; padding: 1.15rem clamp(.9rem, 2.5vw, 1.5rem) 1.25rem; background: var(--card);
          border: 1px solid var(--line); border-radius: 12px; min-width: 0; }
        .panels { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.1rem; margin-bottom: 1.1rem; }
        .panels .panel { display: flex; flex-direction: column; margin: 0; } .panels figcaption { flex: 1; }
        .wide { grid-column: 1 / -1; }
        @media (min-width: 42rem) { .panels { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
        @media (min-width: 42rem) { .odd .panel:last-child { grid-column: 1 / -1; } }
        @media (min-width: 42rem) and (max-width: 61.99rem) { .thirds .panel:last-child { grid-column: 1 / -1; } }
        @media (min-width: 62rem) { .thirds { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
        @supports (grid-template-rows: subgrid) {
          .panels .panel:not(.wide) { display: grid; grid-row: span 3; grid-template-rows: subgrid; row-gap: 0;
            align-content: start; }
        }
        .failing { border-color: var(--broken); } .failing h2 { color: var(--broken); font-size: 1.2rem; }
        .finding { margin: .35rem 0 .8rem; font-size: 1.02rem; overflow-wrap: anywhere; }
        code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", "Liberation Mono",
          monospace; font-size: .84em; }
        pre { margin: 0 0 1rem; padding: .8rem 1rem; background: var(--code); border-radius: 8px; line-height: 1.55;
          overflow-x: auto; }
        section > :last-child { margin-bottom: 0; }
        .trace b { color: var(--broken); } .command { white-space: pre-wrap; overflow-wrap: anywhere; }
        """

    private static let plots = """

        .plot { display: grid; grid-template: auto 15rem auto / auto minmax(0, 1fr); column-gap: .55rem; }
        .panel:not(.wide) .plot { grid-template-rows: auto 11rem auto; }
        .unit { grid-column: 1 / -1; margin: 0 0 .5rem; color: var(--soft); font-size: .78rem; }
        .heights { position: relative; min-width: 2.4rem; }
        .heights span { position: absolute; right: 0; transform: translateY(50%); }
        .heights span, .lengths span, .lanes span { color: var(--soft); font-size: .78rem; line-height: 1;
          white-space: nowrap; }
        .field { position: relative; border-bottom: 1px solid var(--soft); }
        .lengths { grid-column: 2; position: relative; height: 1.6rem; }
        .lengths span { position: absolute; top: .5rem; transform: translateX(-50%); }
        .lengths span:first-child { transform: translateX(min(0px, -50% + .4rem)); }
        .lengths .end { transform: translateX(calc(-100% + .5rem)); }
        svg { display: block; width: 100%; height: 100%; overflow: visible; }
        .grid { stroke: var(--grid); } .mark { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 4 3; }
        .line { fill: none; stroke: var(--curve); stroke-width: 2; stroke-linejoin: round; }
        .dot { fill: none; stroke-width: 8; stroke-linecap: round; } .dot:hover { stroke-width: 12; }
        .series0 { stroke: var(--curve); } .series1 { stroke: var(--down); } .series2 { stroke: var(--other); }
        .bound { stroke: var(--soft); stroke-width: 1.5; stroke-dasharray: 5 4; }
        .grid, .mark, .line, .dot { vector-effect: non-scaling-stroke; }
        .area { fill: var(--area); } rect.bar { fill: var(--bar); } rect.bar:hover { fill: var(--curve); }
        .pointer { fill: transparent; } .pointer:hover { fill: var(--area); }
        .band { opacity: .26; } .lane .band { opacity: .85; } .band:hover { opacity: 1; }
        .partition { fill: var(--cut); background: var(--cut); } .crash { fill: var(--down); background: var(--down); }
        .other { fill: var(--other); background: var(--other); }
        .healing { fill: var(--healing); background: var(--healing); } rect.healing { opacity: .14; }
        .lanes { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 3px .55rem; align-items: center;
          margin-top: .9rem; }
        .lanes span { min-width: 2.4rem; text-align: right; } .lane { height: 9px; background: var(--grid);
          border-radius: 2px; overflow: hidden; }
        .many { row-gap: 1px; } .many span { font-size: .55rem; } .many .lane { height: 5px; }
        .legend { display: flex; flex-wrap: wrap; align-content: start; gap: .3rem 1.3rem; margin: 1rem 0 0; padding: 0; list-style: none;
          color: var(--soft); font-size: .84rem; }
        .key { display: inline-block; width: .8em; height: .8em; margin-right: .5em; border-radius: 2px; opacity: .8; }
        .key.curve { height: 2px; background: var(--curve); vertical-align: .25em; opacity: 1; }
        .key.series1 { background: var(--down); } .key.series2 { background: var(--other); }
        .key.bound { background: var(--soft); height: 1px; }
        .figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.2rem, 1fr)); gap: .5rem 1rem;
          margin: 1rem 0 0; }
        .figures i { display: inline-block; height: .8em; margin-right: .45em; vertical-align: -.08em;
          border-left: 1.5px dashed var(--mark); }
        .figures i.solid { border-left-style: solid; } .mark.solid { stroke-dasharray: none; }
        .figures dt { color: var(--soft); font-size: .78rem; } .figures dd { margin: 0; font-weight: 600; }
        """

    private static let diagram = """

        .scroll { overflow-x: auto; margin: 0 0 1rem; }
        svg.spacetime { width: auto; height: auto; max-width: none; }
        .spacetime text { font: 12px ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", "Liberation Mono", monospace;
          fill: var(--ink); white-space: pre; }
        .spacetime .label { paint-order: stroke; stroke: var(--card); stroke-width: 4px; stroke-linejoin: round; }
        .spacetime .did { font-weight: 600; } .spacetime .same, .spacetime .when { fill: var(--soft); }
        .spacetime .name { font-weight: 600; text-anchor: middle; } .spacetime .fault { fill: var(--down); }
        .spacetime text.broken { fill: var(--broken); stroke: none; font-weight: 600; }
        .life { stroke: var(--soft); stroke-width: 2; } .gone { stroke-dasharray: 2 5; opacity: .6; }
        .message { stroke: var(--curve); stroke-width: 1.6; } .late { stroke-dasharray: 5 4; } .head { fill: var(--curve); }
        .lost { stroke: var(--down); stroke-dasharray: 5 4; } .cross { fill: none; stroke: var(--down); stroke-width: 2.5; }
        circle.did { fill: var(--ink); } circle.met { fill: var(--curve); }
        circle.began { fill: var(--card); stroke: var(--ink); stroke-width: 2; } .befell { fill: var(--other); }
        .across { fill: var(--code); } .across.broken { fill: var(--broken-paper); }
        """

    private static let tables = """

        table { width: 100%; border-collapse: collapse; font-size: .93rem; }
        th, td { padding: .38rem .9rem .38rem 0; border-top: 1px solid var(--grid); text-align: left;
          vertical-align: middle; }
        tr:first-child > * { border-top: 0; } th { font-weight: 600; white-space: nowrap; }
        .meaning { color: var(--soft); } .number { text-align: right; white-space: nowrap; }
        td.bar { width: 30%; padding-right: 0; } td.bar i { display: block; height: .6rem; min-width: 2px;
          background: var(--bar); border-radius: 2px; }
        .never > * { color: var(--broken); } .never i { visibility: hidden; }
        @media (max-width: 40rem) { th { white-space: normal; overflow-wrap: anywhere; } .meaning { display: none; } .headlines { gap: .9rem 1.6rem; } body { font-size: 15px; } }
        """

    private static let paper = """

        @media print {
          @page { margin: 16mm; }
          body { background: none; font-size: 10.5pt; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
          main { max-width: none; padding: 0; } .panel { break-inside: avoid; } pre { white-space: pre-wrap; }
          .scroll { overflow: visible; } svg.spacetime { max-width: 100%; }
        }

        """
}
