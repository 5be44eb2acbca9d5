export { receiveWebhook } from './receiveWebhook.ts';
