import { Anchor, Badge, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { CheckIcon } from '../../components/icons.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { Section } from '../../components/section.tsx';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission, useViewer } from '../../viewer.ts';
import { MissingRatesAlert } from '../missing-rates.tsx';
import { SampleDataButton } from './sample-data.tsx';
import classes from './setup-guide.module.css';
import { type SetupData, setupQuery } from './setup-query.ts';

/** Shows the steps to the first live payment, until it has arrived. */
export function SetupGuide({ onSampleData }: { onSampleData: () => void }) {
  const canWrite = useHasPermission('write');
  const query = useCachedQuery(setupQuery);
  if (!canWrite || !query.data || query.data.me.setupProgress.hasLivePayment) return null;
  const { data, refresh } = query;
  const steps = toSteps(data);
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section
      title={t.home.setUpYourShop}
      aside={
        <Text size="sm" c="var(--causeway-muted)">
          {fillText(t.home.ofDone, { doneCount, count: steps.length })}
        </Text>
      }
    >
      <Stack gap="md">
        <Progress value={(100 * doneCount) / steps.length} aria-label={t.home.progressOfTheSetup} />
        <MissingRatesAlert />
        <ol className={classes.steps}>
          {steps.map((step) => (
            <Step key={step.title} {...step} />
          ))}
        </ol>
        <SampleData
          hasCharges={data.charges.nodes.length > 0}
          onCreated={() => {
            refresh();
            onSampleData();
          }}
        />
      </Stack>
    </Section>
  );
}

type SetupStep = {
  title: string;
  text: string;
  to: string;
  isDone: boolean;
  isOptional?: true;
  mode?: 'live' | 'sandbox';
};

function toSteps({ me, viewer }: SetupData): SetupStep[] {
  const progress = me.setupProgress;
  return [
    {
      title: t.home.tryAPaymentIn,
      text: t.home.createACheckoutLink,
      to: '/checkout-links',
      mode: 'sandbox',
      isDone: progress.hasTestPayment,
    },
    {
      title: t.home.scanATestCode,
      text: t.home.shareASandboxLink,
      to: '/checkout-links',
      mode: 'sandbox',
      isDone: progress.hasTestCheckout,
    },
    {
      title: t.home.addAReceivingAccount,
      text: t.home.theBankAccountOr,
      to: '/receiving-accounts/new',
      mode: 'live',
      isDone: progress.hasReceivingAccount,
    },
    {
      title: t.home.chooseHowTransfersAre,
      text: t.home.connectABankFeed,
      to: '/bank-feeds',
      mode: 'live',
      isDone: progress.hasTransferSource,
    },
    {
      title: t.home.setYourWebsite,
      text: t.home.customersReturnThereAfter,
      to: '/settings',
      isDone: me.websiteUrl !== null,
    },
    {
      title: t.home.addYourLogoOr,
      text: t.home.customersRecognizeYourShop,
      to: '/settings',
      isDone: me.logoUrl !== null || me.brandColor !== null,
    },
    {
      title: t.home.setTheTimeZone,
      text: t.home.itDecidesWhereThe,
      to: '/settings',
      isDone: me.timeZone !== 'UTC',
    },
    {
      title: t.home.turnOnTwoFactor,
      text: t.home.itProtectsYourMoney,
      to: '/account',
      isDone: viewer?.user.hasTwoFactor ?? false,
    },
    {
      title: t.home.inviteYourTeam,
      text: t.home.chooseForEachPerson,
      to: '/users',
      isDone: progress.hasTeam,
      isOptional: true,
    },
    {
      title: t.home.connectYourShopSystem,
      text: t.home.aWebhookReportsEach,
      to: '/webhooks',
      mode: 'live',
      isDone: progress.hasWebhook,
      isOptional: true,
    },
    {
      title: t.home.deliverEmail,
      text: t.home.theOperatorOfThis,
      to: '/help/operations/mail-and-sms',
      isDone: isMailDelivered,
    },
    {
      title: t.home.takeTheFirstLive,
      text: t.home.shareACheckoutLink,
      to: '/checkout-links',
      mode: 'live',
      isDone: progress.hasLivePayment,
    },
  ];
}

function Step({ title, text, to, isDone, isOptional, mode: stepMode }: SetupStep) {
  const { mode, setMode } = useMode();
  const changeMode = () => {
    if (stepMode !== undefined && stepMode !== mode) setMode(stepMode);
  };
  return (
    <li className={classes.step}>
      <span
        className={isDone ? classes.done : classes.open}
        role="img"
        aria-label={isDone ? t.home.done : t.home.toDo}
      >
        {isDone && <CheckIcon />}
      </span>
      <div>
        <Group gap="xs">
          <Anchor component={RouterLink} href={to} fw={600} size="sm" onClick={changeMode}>
            {title}
          </Anchor>
          {stepMode !== undefined && stepMode !== mode && !isDone && (
            <Note>{stepMode === 'live' ? t.home.opensLiveMode : t.home.opensSandbox}</Note>
          )}
          {isOptional && <Note>{t.home.optional}</Note>}
        </Group>
        {!isDone && (
          <Text size="sm" c="var(--causeway-muted)">
            {text}
          </Text>
        )}
      </div>
    </li>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <Badge variant="light" color="gray" size="sm" tt="none">
      {children}
    </Badge>
  );
}

/** Users need both permissions to create the sample charges and their payments. */
function SampleData({ hasCharges, onCreated }: { hasCharges: boolean; onCreated: () => void }) {
  const { mode } = useMode();
  const { permissions } = useViewer();
  const isAllowed = permissions.includes('write') && permissions.includes('transfers');
  if (mode !== 'sandbox' || hasCharges || !isAllowed) return null;
  return <SampleDataButton onCreated={onCreated} />;
}
