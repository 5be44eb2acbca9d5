/** `npm run test:deploy -- cli` runs this: installs the demo and tests the published CLI with it. */

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
