/**
 * Started by `npm run test:deploy -- cli`: installs the demo of `npm start` in a deployment and runs the test of the
 * published CLI with its ids.
 */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installDemo, type LocalFile } from '#infra/local/demo.ts';
import { setApiAddress } from './apiAddress.ts';

const { PARLEY_TARGET, PARLEY_DIR } = process.env as Record<string, string>;
const { apiBaseUrl: apiUrl, chatBaseUrl } = JSON.parse(PARLEY_TARGET!);
await setApiAddress(apiUrl);
const { tenant } = await installDemo(apiUrl);
const local: Partial<LocalFile> = { ...tenant, apiUrl, chatUrl: `${chatBaseUrl}/${tenant.webhookId}` };
await mkdir(PARLEY_DIR!, { recursive: true });
await writeFile(join(PARLEY_DIR!, 'local.json'), JSON.stringify(local));
await import('#test/e2e/cli.ts');
