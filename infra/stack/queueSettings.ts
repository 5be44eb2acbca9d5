export { QUEUES } from '#shared/queues/settings.ts';
