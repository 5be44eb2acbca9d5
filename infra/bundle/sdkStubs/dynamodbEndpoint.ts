/**
 * Stands in for the rules by which the SDK finds DynamoDB's endpoint: of all their cases a function of the stack knows its
 * own, and the stack tells it the domain. 11 KB of every bundle.
 */
import { VARIABLES } from '#shared/environment.ts';

export const defaultEndpointResolver = ({ Endpoint, Region }: { Endpoint?: string; Region: string }) => ({
  url: new URL(Endpoint ?? `https://dynamodb.${Region}.${process.env[VARIABLES.urlSuffix]}`),
});
