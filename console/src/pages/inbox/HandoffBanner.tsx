/** Shows the assignee and the available actions. */
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Handoff } from '../../api/contract.ts';
import { IconHandStop, IconUserExclamation } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { translator } from '../../messages/translate.ts';
import { formatTime } from '../../parts/time.ts';
import { endedText } from './actorName.ts';
import { conflictText } from './conflict.ts';
import classes from './Inbox.module.css';
import type { HandoffActions } from './useHandoffActions.ts';
import { useCaller } from './useTeam.ts';

const t = translator('inbox', inbox);

interface HandoffBannerProps {
  handoff: Handoff | undefined;
  isMine: boolean;
  actions: HandoffActions;
  onTakeOver: () => void;
  children: ReactNode;
}

export function HandoffBanner({ handoff, isMine, actions, onTakeOver, children }: HandoffBannerProps) {
  const { mayHandle } = useCaller();
  const { conflict, dismissConflict, isBusy, closing } = actions;
  return (
    <>
      <div className={classes.banner}>
        <span className={classes.bannerText}>{closing ? t(`closing_${closing}`) : stateOf(handoff, isMine)}</span>
        <span className={classes.bannerActions}>
          {mayHandle && !isMine && (
            <Button
              size="xs"
              variant={handoff?.status === 'served' ? 'default' : 'filled'}
              leftSection={<IconHandStop size={14} aria-hidden />}
              loading={isBusy}
              data-action="take"
              onClick={onTakeOver}
            >
              {t('takeOver')}
            </Button>
          )}
          {children}
        </span>
      </div>
      {conflict && (
        <Alert
          variant="light"
          color="yellow"
          role="alert"
          radius={0}
          icon={<IconUserExclamation />}
          withCloseButton
          closeButtonLabel={t('dismiss')}
          onClose={dismissConflict}
        >
          {conflictText(conflict)}
        </Alert>
      )}
    </>
  );
}

function snoozeText(until: string, member: Handoff['member'], isMine: boolean): string {
  const time = formatTime(until, false);
  if (isMine) return t('snoozedYours', { time });
  return member ? t('snoozedOf', { time, name: member.name }) : t('snoozedUntil', { time });
}

function stateOf(handoff: Handoff | undefined, isMine: boolean): string {
  if (!handoff) return t('botHandles');
  const { status, reason, member, snoozedUntil, assignedBy } = handoff;
  if (status === 'closed') return endedText(handoff);
  if (snoozedUntil) return snoozeText(snoozedUntil, member, isMine);
  const isAutomatic = assignedBy?.type === 'system';
  if (isMine) return t(isAutomatic ? 'assignedToYouAutomatically' : 'assignedToYou');
  if (member) return t(isAutomatic ? 'assignedToAutomatically' : 'assignedTo', { name: member.name });
  return reason ? t('waitsReason', { reason }) : t('waits');
}
