/** Diagrams of the documentation: modules with their imports, the path of a message, and the deployment. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { instance } from '@viz-js/viz';
import { DEPLOYMENT_GRAPH } from './deploymentGraph.ts';
import { DIAGRAM_STYLE } from './diagramStyle.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Modules of the diagram with their contents, in the order of the layers. */
const MODULES: Record<string, string> = {
  infra: 'CDK app, bundles, local platform, operator commands',
  functions: 'one file per operation and consumer',
  'shared/events': 'consumers, delivery, timers, cleanup',
  'shared/domain': 'rules of the seven API groups',
  'shared/api': 'declarations, middleware, permissions, limits',
  'shared/outbound': 'calls of bots and integrations',
  'shared/ai': 'embeddings, models, extraction, ranking',
  'shared/storage': 'DynamoDB, S3, queues',
  'shared/core': 'errors, log, clock, ids, JSON',
};

/** Returns `[from, to]` for each module that imports another one. */
function importsOfModules(): [from: string, to: string][] {
  const names = Object.keys(MODULES);
  return names.flatMap(from => {
    const files = globSync(`${from}/**/*.ts`, { cwd: ROOT });
    const text = files.map(file => readFileSync(join(ROOT, file), 'utf8')).join('\n');
    return names.flatMap(to => (to !== from && text.includes(`'#${to}/`) ? [[from, to] as [string, string]] : []));
  });
}

/** Removes each import that a longer chain of imports implies. */
function withoutImplied(edges: [string, string][]): [string, string][] {
  const reaches = (from: string, to: string): boolean =>
    edges.some(([start, end]) => start === from && (end === to || reaches(end, to)));
  return edges.filter(([from, to]) => !edges.some(([start, via]) => start === from && via !== to && reaches(via, to)));
}

const quoted = (text: string) => JSON.stringify(text);

function modulesGraph(): string {
  const nodes = Object.entries(MODULES).map(
    ([name, contents]) =>
      `${quoted(name)} [label=<<b>${name}</b><br/><font point-size="9" color="#57606a">${contents}</font>>]`,
  );
  const edges = withoutImplied(importsOfModules()).map(([from, to]) => `${quoted(from)} -> ${quoted(to)}`);
  return `digraph modules {${DIAGRAM_STYLE}\n  ${[...nodes, ...edges].join('\n  ')}\n}`;
}

const MESSAGE_GRAPH = `digraph message {
  ${DIAGRAM_STYLE.trim()}
  graph [nodesep=0.9]
  client [label="End user\\n@botpress/chat", shape=oval, fillcolor="#ddf4ff", color="#54aeff"]
  bot [label="Bot\\nHTTP endpoint or deployed code", shape=oval, fillcolor="#ddf4ff", color="#54aeff"]
  create [label="createMessage\\nbehind API Gateway"]
  table [label="DynamoDB table", shape=cylinder, fillcolor="#fff8c5", color="#d4a72c"]
  listen [label="listenConversation"]
  subgraph cluster_events {
    label="Event plane"; labeljust=l; labelloc=b
    reactions [label="reactToTable\\ncounters, lists, indexing, sweeps"]
    deliveries [label="queueDeliveries"]
    queue [label="FIFO queue\\none group per conversation", shape=cds, fillcolor="#fff8c5", color="#d4a72c"]
    deliver [label="deliver"]
    held [label="pending deliveries\\nand their timer", shape=cylinder, fillcolor="#fff8c5", color="#d4a72c"]
    fire [label="fireTimers"]
  }
  client -> create [label="  1  POST /messages"]
  create -> table [label="  2  one conditional put"]
  table -> reactions [label="  stream"]
  table -> deliveries [label="  3  stream"]
  deliveries -> queue -> deliver
  deliver -> bot [label="  4  message_created"]
  deliver -> held [label="  endpoint down", style=dashed]
  held -> fire [style=dashed]
  fire -> queue [label="  retry", style=dashed]
  answer [label="createMessage\\nbehind API Gateway"]
  table -> answer [label="  6  one conditional put", dir=back]
  answer -> bot [label="  5  POST /v1/chat/messages", dir=back, minlen=3]
  listen -> table [label="  7  polls the timeline", dir=back]
  client -> listen [label="  8  server-sent events", dir=back]
}`;

/** Returns the SVG of each diagram by its path in the repository. */
export async function diagrams(): Promise<Map<string, string>> {
  const viz = await instance();
  const svg = (graph: string, title: string) =>
    viz.renderString(graph, { format: 'svg' }).replace(/^[\s\S]*?(<svg[^>]*>)/, `$1\n<title>${title}</title>`);
  return new Map([
    ['docs/images/deployment.svg', svg(DEPLOYMENT_GRAPH, 'The resources of an installation in an AWS account')],
    ['docs/images/modules.svg', svg(modulesGraph(), 'The modules and their imports')],
    ['docs/images/message.svg', svg(MESSAGE_GRAPH, 'The path of a message from the end user to the bot and back')],
  ]);
}
