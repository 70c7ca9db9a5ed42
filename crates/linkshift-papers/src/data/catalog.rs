//! The sets from outside: what each file must be. `docs/data.md` says where they come from.

/// A set by its name (`NAME.csv.gz`) and the SHA-256 of its file.
pub(crate) const SETS: &[(&str, &str)] = &[
    ("aggregation", "b4748c1d93c31d541d58f2f8f16c52afe93ab188d0b5f8de4e016073557fa35a"),
    ("jain", "9fe95307922489ac0687cea382563291bc64ce336961b5e505bbcd146525e731"),
    ("s4", "0eebd575ab734fe7ed2823e3c2fe0f992bf495cc91d5658dc83effdcdad32afa"),
    ("cms_mnist", "1bde7d76c9898d3ed13db133b2190f512838293daa34ff424ba4ead1667c0e19"),
    ("cms_fashion_mnist", "4034ec859270ae02f78e800c6eea133989652497fc9ef6d052ac74400ddcd9b3"),
    ("cms_gtsrb", "05a9db3c00e240ee44e0c688e891203575a04283c462b9c35c68eb75e479ddb6"),
    ("iris", "6c60f48af0081f3c4743fd06cf87255f26141c6d33918cf290919bb25b059d4e"),
    ("ionosphere", "ee68afcfd823852e58c7c5724338393e6ba4a78c090149fe89cc20a32f1fef9f"),
    ("dermatology", "ddbc0805202846dc1efb1e72f774818c6a6eb1c4a29c218b6f81de2355af18bd"),
    ("letter_ab", "bf685a6715bfa9f384f25c4d3c4fed6dbe96e74999642e63cd591ebb57ef6c82"),
    ("satimage4", "e36282ff41a264cd73121032f6fcaed00dd42f09057bd7df49d3a604f687b75d"),
    ("symbols", "19b19b8d01c6d2fe3690a7234ce38b61714a76fa21d22d057ffe45a084de8758"),
    ("nsl_kdd", "71015ae00e65c492ef3113efe2d38db5772c6d4c502724a40971cf6ab020ac2c"),
    ("banknote", "3e8bf5d06ed4afa4d8481a7c5ef94021fc57f9e64cc62d1c85f01272e0ce13d5"),
    ("chainlink", "5540228a8c52653f93b947990b8bc5a44713631cbdc9e413dcd801bf9c7c7469"),
    ("image_seg3", "eab837cff8af83b3ebbea63f31bc769d8c8e0fb5b0bd5f3cd8008d397544b541"),
    ("wall_following_2", "a8ed427ff227303452efdd3faf0190b5488344b31f95995b9348306e9e0b4898"),
    ("pendigits", "061e7d0c2ee70d29c7acfd6079aeeccb7dea4903127473736dfca6947ca69b2e"),
    ("pie10_21_55x44", "223978b30bc01b08c9f9c67be5a4a3fd1bac9769a3716392f56fa64b19828da5"),
    ("pie10_32x32", "aafd92a4da16fff161da99e0ab6b26949af816dc7bf31204126a1d6030c145e5"),
    ("pie68_22x22", "5c659cafa810f0e1cf4d25b4ef5be5d292d841bca8b555de89c51014df223df8"),
];
