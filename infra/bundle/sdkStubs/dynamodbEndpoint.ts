/**
 * Replaces the SDK's rules for DynamoDB's endpoint. They cover every kind of endpoint; a function of the stack needs
 * the regional one, whose domain the stack passes in. 11 KB of every bundle.
 */
import { VARIABLES } from '#shared/core/environment.ts';

export const defaultEndpointResolver = ({ Endpoint, Region }: { Endpoint?: string; Region: string }) => ({
  url: new URL(Endpoint ?? `https://dynamodb.${Region}.${process.env[VARIABLES.urlSuffix]}`),
});
