/** Replaces the SDK's event streams, which DynamoDB does not use. Saves 15 KB per bundle. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are not part of this bundle: see infra/bundle/lambdaPlugin.ts.');
  }
}
