import { Duration } from 'aws-cdk-lib';

/** API Gateway waits 29 s for an answer, and 15 minutes for the end of a stream: Lambda's own limit. */
export const timeoutOf = (isStream: boolean) => (isStream ? Duration.minutes(15) : Duration.seconds(29));
