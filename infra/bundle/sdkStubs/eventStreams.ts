/** Replaces the SDK's event streams, in which no operation of DynamoDB answers: 15 KB of every bundle. */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are not part of this bundle: see infra/bundle/lambdaPlugin.ts.');
  }
}
