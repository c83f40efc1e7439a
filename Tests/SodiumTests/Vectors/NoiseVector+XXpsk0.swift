extension NoiseVector {
    /// `Noise_XXpsk0_25519_ChaChaPoly_SHA256`, in no public collection: printed by `Scripts/noise-vector`, which uses
    /// `noiseprotocol` 0.3.1. `dissononce` 0.34.3 gives the same bytes.
    static let xxPSK0 = """
        {
          "protocol_name": "Noise_XXpsk0_25519_ChaChaPoly_SHA256",
          "init_prologue": "6361726176616e2066726f7a656e20766563746f72",
          "resp_prologue": "6361726176616e2066726f7a656e20766563746f72",
          "init_psks": [
            "505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f"
          ],
          "resp_psks": [
            "505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f"
          ],
          "init_static": "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20",
          "init_ephemeral": "4142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f60",
          "resp_static": "8182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0",
          "resp_ephemeral": "c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0",
          "handshake_hash": "24133d9e78217f1132774081d9c4d8423f2bdfff4db4cb5a41f2cd87f9c27e2e",
          "messages": [
            {
              "payload": "",
              "ciphertext": "64b101b1d0be5a8704bd078f9895001fc03e8e9f9522f188dd128d9846d4846657cf9049d9d513c75\
        e4016e9ec95dc47"
            },
            {
              "payload": "7468652063616d7065722076616e",
              "ciphertext": "3a553d74792d727efa9b9a4cde3da1ad93f1a2d0c09cb639b1a3c0fda14cbe2498879bdb61b625370\
        4c5e6554771479d3b4b6f8278ce1e112ad5c46b3c6bc120728d96203db8bae34bc0a3ca8526f1860d74d5ad80b291030648ac3\
        98e91d1574eff9093d2db327faf795a0c2c2e"
            },
            {
              "payload": "6c6561766573206174206e696e65",
              "ciphertext": "6801294d3bd59212819653bb8c066f353811b2de18a1eb3bd2a514ab063c2854098b966790b8a326a\
        b007e72c56539ae681ea9bf65c13e221058ad34dc68fc647e88c39401c5e3e699b5a8752f90"
            },
            {
              "payload": "",
              "ciphertext": "8b12c8cb0438e6c68b04c4e592fa3108"
            },
            {
              "payload": "7061636b20746865206b6574746c65",
              "ciphertext": "b263df702a85ae350e31aa619d8078a7d735ed8507b408086605f1da458e46"
            },
            {
              "payload": "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223242526272829\
        2a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c\
        5d5e5f606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f\
        909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2\
        c3c4c5c6c7",
              "ciphertext": "e420b96fb53e869e4e782654f151165d019080fc82b7cee64e11b8e382456d816d936f51f0452413f\
        3bc6b083b08348aebafc569291a2623b37786c1fbeb58a6912751609c659aee1c31d0f87843328c76ac8240eb07c310a22e6fd\
        a23ffe67f9f3bb917b9578930a56e50d43c29dfd0d6f3f39e4f24883927cf1196663e5590bd9a535d2ccc134de932f3ab86a0f\
        195b193ca2ada423d91443ec825df44fabcfdcf6d97b5a04ac4468455bfcce1c67a7c921d8d69749e92fa439867321b06a55a6\
        5b6c08d3a2a3e3516781b7beee3ad2f0953397ac8909c"
            },
            {
              "payload": "646f6e65",
              "ciphertext": "b8f00deb246f04794c5d248a33f850d1416cbb72"
            }
          ]
        }
        """
}
