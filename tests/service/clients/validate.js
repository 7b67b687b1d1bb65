/* validate.js FILE: prints whether swagger-parser accepts an API description. The package is found through NODE_PATH. */
"use strict";
const { createRequire } = require("module");
const { pathToFileURL } = require("url");
const entry = createRequire(`${process.env.NODE_PATH}/`).resolve("@apidevtools/swagger-parser");

import(pathToFileURL(entry)).then(async ({ default: parser }) => {
	const valid = await parser.validate(process.argv[2]).then(() => true, () => false);
	console.log(valid ? "valid" : "invalid");
});
