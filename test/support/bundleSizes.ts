/** Sizes and budgets of bundles, for the test that compares them and the section of the bench that prints them. */
import { basename, dirname } from 'node:path';
import { build } from 'esbuild';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { functionNames } from '#infra/bundle/entries.ts';

/** Authentication takes about 5 KB, because it checks grants of deployed code and limits on open work. */
const BUDGET_BYTES = 269_000;

/**
 * Larger budgets. `callAction` runs the inbox and streams replies. `initializeConversation` also joins and listens.
 * Single sign-on loads the client of identity providers. Upserts read, insert, update and log rows.
 * `createIntegration` reads the secrets of the preceding version.
 */
const LARGER: Record<string, number> = {
  'admin-createBot': 276_000,
  'admin-createIntegration': 270_000,
  'admin-updateBot': 327_000,
  'admin-finishSingleSignOn': 315_000,
  'admin-setSingleSignOn': 284_000,
  'admin-startSingleSignOn': 277_000,
  'botChat-callAction': 326_000,
  'tables-findTableRows': 295_000,
  'chat-initializeConversation': 271_000,
  deliver: 275_000,
  pushSignals: 274_000,
  'socket-connect': 273_000,
  'botChat-createConversation': 281_000,
  'botChat-createUser': 281_000,
  'tables-upsertTableRows': 277_000,
  'tables-updateTable': 273_000,
};

/** Clients and engines without a budget, because they are most of a function that loads them at its start. */
const UNBOUNDED = /node_modules\/(?:@aws-sdk\/client-(?:s3|s3vectors|bedrock-runtime)|quickjs-[^/]+)\//;

/** Generated texts. */
const TEXTS = /^(?:referenceScript|referencePage|guidePage|webchatScript|webchatStyle|\w+Reference)$/;

export interface BundleSize {
  name: string;
  bytes: number;
  /** Undefined for texts and for bundles with an unbounded client. */
  budget: number | undefined;
}

/** Returns the sizes of the bundles of all functions, without writing them. */
export async function bundleSizes(): Promise<BundleSize[]> {
  const { metafile } = await build({
    ...lambdaBuildOptions,
    entryPoints: functionNames.map(name => ({ in: `entry:${name}`, out: `${name}/index` })),
    outdir: 'unwritten',
    metafile: true,
    write: false,
  });
  return Object.entries(metafile.outputs).map(([file, { bytes, inputs }]) => {
    const name = basename(dirname(file));
    const unbounded = TEXTS.test(name) || Object.keys(inputs).some(input => UNBOUNDED.test(input));
    return { name, bytes, budget: unbounded ? undefined : (LARGER[name] ?? BUDGET_BYTES) };
  });
}
