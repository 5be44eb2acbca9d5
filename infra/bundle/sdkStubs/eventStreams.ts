/**
 * Stands in for the SDK's event streams, which it loads when an answer is one: none of DynamoDB's is. 15 KB of every
 * bundle.
 */
export class EventStreamSerde {
  constructor() {
    throw new Error('Event streams are not part of this bundle: see infra/bundle.ts.');
  }
}
