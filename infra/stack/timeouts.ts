import { Duration } from 'aws-cdk-lib';

/** API Gateway's limits: 29 s for a response, 15 minutes for a stream, which is also Lambda's maximum. */
export const timeoutOf = (isStream: boolean) => (isStream ? Duration.minutes(15) : Duration.seconds(29));
