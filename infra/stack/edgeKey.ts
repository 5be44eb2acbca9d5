/**
 * The value with which the distribution marks its requests to the APIs (`shared/api/callerAddress.ts`): the GUID of the
 * stack, which is unguessable and visible only in the account.
 */
import { Fn, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

export const edgeKeyOf = (scope: Construct): string => Fn.select(2, Fn.split('/', Stack.of(scope).stackId));
