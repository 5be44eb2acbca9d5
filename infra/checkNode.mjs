/**
 * Runs after every installation, with the Node that also runs the npm scripts: the bundled one of development
 * installations, or the caller's. JavaScript, because an old Node cannot run TypeScript.
 */
const REQUIRED = 24;

if (Number.parseInt(process.versions.node, 10) < REQUIRED) {
  process.stderr.write(`The npm scripts need Node ${REQUIRED} or newer, and would run on Node ${process.versions.node}.
Install Node ${REQUIRED}, or run npm ci without --omit=dev, which also installs it.
`);
  process.exitCode = 1;
}
