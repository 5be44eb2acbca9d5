/** Replaces the SDK's endpoint rules for DynamoDB with the regional endpoint. Saves 11 KB per bundle. */
import { VARIABLES } from '#shared/core/environment.ts';

export const defaultEndpointResolver = ({ Endpoint, Region }: { Endpoint?: string; Region: string }) => ({
  url: new URL(Endpoint ?? `https://dynamodb.${Region}.${process.env[VARIABLES.urlSuffix]}`),
});
