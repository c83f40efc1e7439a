import Testing

@testable import PageServer

/// Forms with files, as browsers and others send them.
struct MultipartFormTests {
    private func read(_ text: String, boundary: String = "XX") -> MultipartForm? {
        MultipartForm(Array(text.utf8), boundary: boundary)
    }

    @Test("fields and files are read in their order, with any bytes in them")
    func parts() throws {
        let form = try #require(
            read(
                "--XX\r\nContent-Disposition: form-data; name=\"item\"\r\n\r\nb4e7\r\n"
                    + "--XX\r\ncontent-disposition: form-data; name=\"photo\"; filename=\"a;b.jpg\"\r\n"
                    + "Content-Type: image/jpeg\r\n\r\n\r\n--X\r\n\r\nXX--XX\r\n--XX\r\n"
                    + "Content-Disposition: form-data; name=\"photo\"; filename=\"\"\r\n\r\n\r\n--XX--\r\n"))
        #expect(form["item"] == "b4e7" && form["photo"] == nil)
        #expect(form.files("photo") == [Array("\r\n--X\r\n\r\nXX--XX".utf8)])
        #expect(form.parts.count == 3)
    }

    @Test("what is cut, or is no form, is refused wherever it ends")
    func cut() {
        let whole = "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--XX--"
        #expect(read(whole)?.parts.count == 1)
        for count in 0..<whole.utf8.count {
            #expect(read(String(decoding: whole.utf8.prefix(count), as: UTF8.self)) == nil)
        }
        for text in [
            "", "--XX", "--YY--", "--XX\r\n\r\n\r\n--XX--", "--XX\r\nContent-Disposition: form-data\r\n\r\nb\r\n--XX--",
        ] {
            #expect(read(text) == nil)
        }
        let part = "\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--XX"
        #expect(read("--XX" + String(repeating: part, count: 64) + "--")?.parts.count == 64)
        #expect(read("--XX" + String(repeating: part, count: 65) + "--") == nil)
        #expect(read("--XX\r\n" + String(repeating: "x", count: 5_000) + part + "--") == nil)
    }
}
