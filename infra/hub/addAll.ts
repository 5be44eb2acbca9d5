/** Builds and deploys several integrations. A failure of one does not stop the others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hubDirectory } from '#infra/settings/stateDirectory.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { askSecrets } from './askSecrets.ts';
import { buildIntegration, prepareWorkshop, readInterface, type Workshop } from './buildPackages.ts';
import { type Catalog, nameAndVersion, type Source } from './catalog.ts';
import { type Destination, deployIntegration } from './deployIntegration.ts';
import { addInterface, findDeployed } from './installed.ts';
import { type Noted, providerNotes } from './providerNotes.ts';
import { missingSecrets, requireDeclared, type SecretValues } from './secretValues.ts';

/** A build uses one processor, and a deployment waits for the platform. */
const CONCURRENCY = 2;

interface Run {
  repository: string;
  catalog: Catalog;
  sources: readonly Source[];
  secrets: SecretValues;
  /** Prompts for missing secrets. */
  isAsked: boolean;
  say: (line: string) => void;
}

export interface Outcome {
  /** Lines of a summary. Empty if nothing failed. */
  failed: string[];
  notes: (webhookBase: string) => string[];
}

const secondsSince = (startMs: number) => ((performance.now() - startMs) / 1_000).toFixed(1);

export async function addAll(
  destination: Destination,
  { repository, catalog, sources, secrets, isAsked, say }: Run,
): Promise<Outcome> {
  const startMs = performance.now();
  const workshop = await prepareWorkshop(repository, join(hubDirectory, 'source'), { catalog, sources, say });
  await addInterfaces(workshop, sources, say);
  const failures: { name: string; reason: string }[] = [];
  const noted: Noted[] = [];
  const results = { deployed: 0, configured: 0, unchanged: 0 };
  let done = 0;
  const add = async (source: Source) => {
    const from = performance.now();
    let line: string;
    try {
      const built = await buildIntegration(workshop, source);
      const given = secrets[source.name] ?? {};
      requireDeclared(built.secrets, given);
      const values = isAsked ? { ...given, ...(await askFor(built)) } : given;
      const deployment = await deployIntegration(workshop, destination, { source, built, values });
      const { result, failure } = deployment;
      results[result]++;
      noted.push({ ...built, ...deployment, declared: built.secrets });
      if (failure !== undefined) failures.push({ name: built.name, reason: `Its code does not start: ${failure}` });
      line = `${built.name} ${built.version}  ${failure === undefined ? result : 'does not start'}`;
    } catch (error) {
      failures.push({ name: source.name, reason: (error as Error).message });
      line = `${source.name}  failed`;
    }
    say(`${++done} of ${sources.length}  ${line}  ${secondsSince(from)} s`);
  };
  await mapConcurrently(sources, isAsked ? 1 : CONCURRENCY, add);
  const { deployed, configured, unchanged } = results;
  say(`\n${deployed} deployed, ${configured} configured, ${unchanged} unchanged in ${secondsSince(startMs)} s.`);
  return {
    failed:
      failures.length === 0
        ? []
        : [`${failures.length} failed:`, ...failures.map(({ name, reason }) => `${name}: ${reason.trim()}`)],
    notes: webhookBase =>
      noted.toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap(each => [...providerNotes(each, webhookBase), '']),
  };
}

async function askFor({ name, version, secrets }: Awaited<ReturnType<typeof buildIntegration>>) {
  const known = Object.keys(
    ((await findDeployed(name, version)) ?? (await findDeployed(name, 'latest')))?.secrets ?? {},
  );
  return askSecrets(name, missingSecrets(secrets, known));
}

async function addInterfaces(workshop: Workshop, sources: readonly Source[], say: Run['say']): Promise<void> {
  for (const path of new Set(sources.flatMap(({ interfaces }) => interfaces))) {
    const definition = readFileSync(join(workshop.folder, path, 'interface.definition.ts'), 'utf8');
    const { name, version } = nameAndVersion(definition, path.split('/').at(-1)!);
    if (version === undefined) throw new Error(`The definition of ${path} has no version.`);
    const result = await addInterface(name, version, () => readInterface(workshop, path));
    if (result === 'added') say(`interface ${name} ${version}  added`);
  }
}
