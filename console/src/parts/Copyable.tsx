/** Icon buttons, and ids to copy. */
import { ActionIcon, Code, CopyButton, Group, Tooltip } from '@mantine/core';
import { type Icon, IconCheck, IconCopy } from '../icons/tabler.ts';
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import classes from './Small.module.css';

const t = translator('common', common);

interface IconActionProps {
  label: string;
  Icon: Icon;
  isBusy?: boolean;
  isDanger?: boolean;
  onClick: () => void;
}

/** An icon button whose tooltip is its accessible name. */
export const IconAction = ({ label, Icon, isBusy = false, isDanger = false, onClick }: IconActionProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant="subtle"
      color="gray"
      className={isDanger ? classes.danger : classes.quiet}
      onClick={onClick}
      aria-label={label}
      loading={isBusy}
    >
      <Icon size={16} stroke={1.75} />
    </ActionIcon>
  </Tooltip>
);

export const Copy = ({ value, label }: { value: string; label: string }) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <IconAction label={copied ? t('copied') : label} Icon={copied ? IconCheck : IconCopy} onClick={copy} />
    )}
  </CopyButton>
);

export const Copyable = ({ value, label }: { value: string; label: string }) => (
  <Group gap={4} wrap="nowrap" className={classes.copyable}>
    <Code bg="transparent" p={0} style={{ overflowWrap: 'anywhere' }}>
      {value}
    </Code>
    <Copy value={value} label={label} />
  </Group>
);
