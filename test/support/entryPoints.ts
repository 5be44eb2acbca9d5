/** Lists the entry points of all functions, with the roles they run in. */

import * as consumers from '#functions/events/index.ts';
import { connectWatcher } from '#functions/socket/connectWatcher.ts';
import * as socketRoutes from '#functions/socket/index.ts';
import { type Access, accessOf, accessOfConsumer, accessOfRoute } from '#infra/bundle/functionAccess.ts';
import { CHILD_PROGRAMS } from '#infra/bundle/lazyModules.ts';
import { API_ROOT, apis } from '#infra/gateway/apis.ts';
import { ABSENT, HEALTH, PREFLIGHT } from '#infra/gateway/gatewayDocument.ts';
import { fileOf } from '#infra/gateway/operationFiles.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import type { StreamConsumer } from '#shared/events/consumers/consumer.ts';
import type { Reaction } from '#shared/events/consumers/reaction.ts';
import type { TableAccess } from '#shared/storage/dynamodb/engine/tableAccess.ts';
import type { Part } from './callGraph.ts';
import { bodyOf, type Declared, moduleOf, walk } from './sourceModules.ts';

export interface EntryPoint {
  name: string;
  /** Declarations that run first. */
  starts: readonly (Declared | Part)[];
  access: Access;
  /** Its own declaration, without its group's. */
  declared: TableAccess;
  operation?: Operation;
  /** Operations that a function runs or checks besides its own code. */
  operations?: readonly Operation[];
}

const ofOperation = (operation: Operation): EntryPoint => {
  const { api, name, partitions = {} } = operation;
  return {
    name: functionNameOf(operation),
    starts: [`${fileOf(operation)}#${name}`, `shared/api/chain/chain.ts#${api}Handler`],
    access: accessOf(operation),
    declared: partitions,
    operation,
  };
};

export const streamConsumers = Object.values(consumers).filter(
  (consumer): consumer is StreamConsumer => 'reactions' in consumer,
);

/** Returns the role that a consumer would have with a single reaction. */
export const accessOfReaction = (consumer: StreamConsumer, reaction: Reaction): Access =>
  accessOfConsumer({ ...consumer, reactions: [reaction] });

const ofReaction = (consumer: StreamConsumer, reaction: Reaction): EntryPoint => {
  const file = `functions/events/${consumer.name}.ts`;
  return {
    name: `${consumer.name}.${reaction.name}`,
    starts: [{ file, node: elementOf(file, consumer.name, reaction.name) }],
    access: accessOfReaction(consumer, reaction),
    declared: reaction.partitions ?? {},
  };
};

/** Returns the array element with this name in a declaration. */
function elementOf(file: string, declaration: string, name: string): Part['node'] {
  const found: Part['node'][] = [];
  walk(bodyOf(`${file}#${declaration}`), (node, ancestors) => {
    if (node.type !== 'ObjectExpression' || ancestors.at(-1)?.type !== 'ArrayExpression') return;
    const isNamed = node.properties.some(
      each =>
        each.type === 'Property' &&
        each.key.type === 'Identifier' &&
        each.key.name === 'name' &&
        each.value.type === 'Literal' &&
        each.value.value === name,
    );
    if (isNamed) found.push(node);
  });
  if (found.length !== 1) throw new Error(`${file} has ${found.length} elements of the name ${name}.`);
  return found[0]!;
}

export const operationEntries: readonly EntryPoint[] = apis.flatMap(api => api.operations).map(ofOperation);

export const consumerEntries: readonly EntryPoint[] = Object.values(consumers).map(consumer => ({
  name: consumer.name,
  starts: [`functions/events/${consumer.name}.ts#${consumer.name}`],
  access: accessOfConsumer(consumer),
  declared: consumer.partitions ?? {},
  // Its connections were opened by this operation, whose rights it checks.
  ...(consumer.name === 'keepConnections' ? { operations: [connectWatcher] } : {}),
}));

export const socketEntries: readonly EntryPoint[] = Object.values(socketRoutes).map(route => ({
  name: functionNameOf(route),
  starts: [
    `functions/socket/${route.name}.ts#${route.name}` as const,
    ...route.operations.flatMap((each): Declared[] => [
      `functions/socket/${each.name}.ts#${each.name}`,
      `shared/api/chain/chain.ts#${each.api}Handler`,
    ]),
  ],
  access: accessOfRoute(route),
  operations: route.operations,
  declared: route.partitions ?? {},
}));

const reactionEntries: readonly EntryPoint[] = streamConsumers.flatMap(consumer =>
  consumer.reactions.map(reaction => ofReaction(consumer, reaction)),
);

const withoutTable = (name: string, starts: EntryPoint['starts']): EntryPoint => ({
  name,
  starts,
  access: { table: 'none' },
  declared: {},
});

/** Functions without access to the table, and programs that functions run in a child process or thread. */
const otherEntries: readonly EntryPoint[] = [
  ...[PREFLIGHT, HEALTH, ABSENT, API_ROOT, 'jsonText', 'staticFile'].map(name =>
    withoutTable(name, [`functions/${name}.ts#${name}`]),
  ),
  ...CHILD_PROGRAMS.map(({ file, source }) =>
    withoutTable(
      file,
      [...moduleOf(source).declarations.keys()].map((name): Declared => `${source}#${name}`),
    ),
  ),
];

export const entryPoints: readonly EntryPoint[] = [
  ...operationEntries,
  ...consumerEntries,
  ...socketEntries,
  ...reactionEntries,
  ...otherEntries,
];
