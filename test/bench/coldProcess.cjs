/**
 * A Lambda's process in small: loads one bundle, answers one event, tells its parent the status, ends. The parent has the
 * stopwatch. CommonJS, so that nothing is loaded here that a bundle would otherwise have to load itself.
 */
const { readFileSync, writeSync } = require('node:fs');

const [bundle, eventFile] = process.argv.slice(2);
const event = JSON.parse(readFileSync(eventFile, 'utf8'));
const context = { awsRequestId: 'bench', getRemainingTimeInMillis: () => 29_000 };
const REPORT = 3;

async function run() {
  // As Lambda does: an .mjs is imported, a .js required.
  const { handler } = bundle.endsWith('.mjs') ? await import(bundle) : require(bundle);
  const { statusCode } = await handler(event, context);
  const { user, system } = process.cpuUsage();
  writeSync(REPORT, JSON.stringify({ statusCode, cpuMs: (user + system) / 1000 }));
  process.exit();
}

run();
