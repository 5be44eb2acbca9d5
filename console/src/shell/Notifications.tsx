import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications as Stack } from '@mantine/notifications';

const Notifications = () => <Stack position="bottom-right" />;
export default Notifications;
