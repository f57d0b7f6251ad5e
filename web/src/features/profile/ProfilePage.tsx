import { LIMITS, type User } from '@framelift/contract';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import IconPencil from '@tabler/icons-react/icons/IconPencil';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { sessionsQuery } from '../../api/profile.ts';
import { useSession } from '../../api/session.ts';
import { formatDate, formatNumber } from '../../i18n/format.ts';
import { currentLanguage } from '../../i18n/index.ts';
import { AccountFacts } from '../../shared/AccountFacts.tsx';
import { endOf, isPaused, useOwnPlan } from '../../shared/use-own-plan.ts';
import { DeleteAccount } from './DeleteAccount.tsx';
import { ExportAccount } from './ExportAccount.tsx';
import classes from './Profile.module.css';
import { Sessions } from './Sessions.tsx';
import { StorageUse } from './StorageUse.tsx';

/** /menu/profile: account details, plan and storage, sessions, and account actions. */
export function ProfilePage() {
  const { t } = useTranslation('profile');
  const session = useSession();
  const sessions = useQuery(sessionsQuery);
  if (!('user' in session)) return null;
  const { user } = session;
  const { VIP, isAdmin } = user;

  return (
    <Stack className={classes.page} gap="lg">
      <Title order={1}>{t('title')}</Title>
      <Stack className={classes.card}>
        <AccountFacts user={user} />
        <Group justify="space-between">
          {VIP ? (
            <Badge size="lg" tt="none">
              {t('vip')}
            </Badge>
          ) : (
            <span />
          )}
          <Button
            component={Link}
            to="/member/profile"
            variant="default"
            leftSection={<IconPencil size="1.1em" aria-hidden />}
          >
            {t('edit')}
          </Button>
        </Group>
      </Stack>
      <Balances user={user} />
      <StorageUse />
      <Sessions />
      {/* Rendered only when the height of the section above is known: otherwise it would be pushed down. */}
      {!sessions.isPending && (
        <>
          <ExportAccount />
          {isAdmin ? (
            <Text c="dimmed" size="sm">
              {t('delete.admin')}
            </Text>
          ) : (
            <DeleteAccount />
          )}
        </>
      )}
    </Stack>
  );
}

/** Plan and points, and the ways to more of them. */
function Balances({ user }: { user: User }) {
  const { t } = useTranslation('profile');
  const { points, freePoints, myPlan } = user;
  const language = currentLanguage();
  const own = useOwnPlan(user);
  const end = endOf(own);
  const plan = myPlan.plan.id === LIMITS.planIds.nonMember ? t('noPlan') : myPlan.plan.name;
  return (
    <Stack className={classes.card}>
      <dl className={classes.balances}>
        <div>
          <dt>{t('plan')}</dt>
          <dd>
            {isPaused(own) ? t('planPaused', { name: own.name }) : plan}
            {end && <span className={classes.until}>{t('planUntil', { date: formatDate(end, language) })}</span>}
          </dd>
        </div>
        <div>
          <dt>{t('points')}</dt>
          <dd>{formatNumber(points, language)}</dd>
        </div>
        <div>
          <dt>{t('freePoints')}</dt>
          <dd>{formatNumber(freePoints, language)}</dd>
        </div>
      </dl>
      <Group gap="sm">
        {/* The page is the same: there a paused plan is paid. */}
        <Button component={Link} to="/subscribedetail" variant={isPaused(own) ? 'filled' : 'default'}>
          {t(isPaused(own) ? 'payPlan' : 'mySubscriptions')}
        </Button>
        <Button component={Link} to="/menu/points" variant="default">
          {t('myPoints')}
        </Button>
      </Group>
    </Stack>
  );
}
