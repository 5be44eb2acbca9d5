import type { Construct } from 'constructs';
import { BUNDLES } from '#infra/bundle/entries.ts';

/** Returns the directory of the bundles. Tests replace it by the context `bundles`. */
export const bundlesOf = (scope: Construct): string => scope.node.tryGetContext('bundles') ?? BUNDLES;
