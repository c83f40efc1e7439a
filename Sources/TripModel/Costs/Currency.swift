/// A currency of ISO 4217 (amendment 176 and before), with the digits of its minor unit.
package struct Currency: Hashable, Sendable {
    /// Three letters: "EUR".
    package let code: String
    /// Digits after the point: 2 for EUR, 0 for JPY, 3 for KWD.
    package let digits: Int

    /// Nil for a code that is not in the table. Upper case only: a code has one form.
    package init?(code: String) {
        guard let digits = Self.digitsOfCodes[code] else { return nil }
        self.code = code
        self.digits = digits
    }

    /// The currency that a person means by a code in any case, or by a sign of one currency only.
    package init?(typed text: String) {
        self.init(code: Self.signs[text] ?? String(decoding: text.utf8.map(Self.upperCase), as: UTF8.self))
    }

    /// Signs that several currencies share, with their codes, those that travellers meet most first. Such a sign means the home currency
    /// if that is one of them.
    package static let sharedSigns: [String: [String]] = [
        "$": ["USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "MXN", "ARS", "CLP", "COP"], "¥": ["JPY", "CNY"],
        "kr": ["SEK", "NOK", "DKK", "ISK"],
    ]

    /// The codes of the currencies that share a sign; none for anything else.
    static func codes(sharing sign: String) -> [String] {
        sharedSigns[["￥": "¥", "＄": "$", "Kr": "kr", "kr.": "kr"][sign] ?? sign] ?? []
    }

    private static let signs = [
        "€": "EUR", "£": "GBP", "₪": "ILS", "₹": "INR", "₩": "KRW", "₺": "TRY", "₴": "UAH", "₫": "VND", "฿": "THB",
        "zł": "PLN", "Kč": "CZK", "CHF": "CHF", "US$": "USD", "CA$": "CAD", "C$": "CAD", "AU$": "AUD", "A$": "AUD",
        "NZ$": "NZD",
        "HK$": "HKD", "S$": "SGD", "NT$": "TWD", "MX$": "MXN", "R$": "BRL", "CN¥": "CNY", "JP¥": "JPY", "円": "JPY",
        "元": "CNY", "₱": "PHP", "₽": "RUB", "₦": "NGN", "₸": "KZT", "₾": "GEL",
    ]

    private static func upperCase(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte & 0xDF : byte }

    private static let digitsOfCodes: [String: Int] = {
        let table = [
            0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
            2: """
            AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF \
            CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL \
            HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP \
            MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD \
            SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU \
            UZS VED VES WST XCD XCG YER ZAR ZMW ZWG ZWL
            """,
            3: "BHD IQD JOD KWD LYD OMR TND",
            4: "CLF UYW",
        ]
        var digits: [String: Int] = [:]
        for (count, codes) in table { for code in codes.split(separator: " ") { digits[String(code)] = count } }
        return digits
    }()
}

extension Currency: Comparable {
    package static func < (left: Currency, right: Currency) -> Bool { Text(left.code) < Text(right.code) }
}
