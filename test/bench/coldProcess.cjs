/**
 * A minimal Lambda runtime: loads one bundle, handles one event, reports the status to its parent, and exits. The parent
 * measures the time. CommonJS, so that this file loads nothing that a bundle would otherwise have to load.
 */
const { readFileSync, writeSync } = require('node:fs');

const [bundle, eventFile] = process.argv.slice(2);
const event = JSON.parse(readFileSync(eventFile, 'utf8'));
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };
const REPORT = 3;

async function run() {
  // Lambda imports an .mjs and requires a .js.
  const { handler } = bundle.endsWith('.mjs') ? await import(bundle) : require(bundle);
  const { statusCode } = await handler(event, context);
  const { user, system } = process.cpuUsage();
  writeSync(REPORT, JSON.stringify({ statusCode, cpuMs: (user + system) / 1000 }));
  process.exit();
}

run();
