// What VS Code loads as a suite: it can hand out its API to a CommonJS module alone.

const vscode = require("vscode");

exports.run = async () => {
  const { play } = await import("./suite.mjs");
  await play(vscode);
};
