import { Anchor, Badge, Group, Progress, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'wouter';
import { CheckIcon } from '../../components/icons.tsx';
import { isMailDelivered } from '../../components/mail-notice.tsx';
import { Section } from '../../components/section.tsx';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { useMode } from '../../use-mode.ts';
import { useViewer } from '../../viewer.ts';
import { SampleDataButton } from './sample-data.tsx';
import classes from './setup-guide.module.css';
import { type SetupData, setupQuery } from './setup-query.ts';

/** Shows the steps to the first live payment, until it has arrived. The merchant's data ticks the steps. */
export function SetupGuide({ onSampleData }: { onSampleData: () => void }) {
  const query = useCachedQuery(setupQuery);
  if (!query.data || query.data.me.isDemo || query.data.me.setupProgress.hasLivePayment) return null;
  const { data, refresh } = query;
  const steps = toSteps(data);
  const doneCount = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section
      title="Set up your shop"
      aside={
        <Text size="sm" c="var(--causeway-muted)">
          {doneCount} of {steps.length} done
        </Text>
      }
    >
      <Stack gap="md">
        <Progress value={(100 * doneCount) / steps.length} aria-label="Progress of the setup" />
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
      title: 'Try a payment in the sandbox',
      text: 'Create a checkout link, open it, and simulate the payment.',
      to: '/checkout-links',
      mode: 'sandbox',
      isDone: progress.hasTestPayment,
    },
    {
      title: 'Add a receiving account',
      text: 'The bank account or wallet that customers pay to. Then scan its sample QR code with your own app.',
      to: '/receiving-accounts/new',
      mode: 'live',
      isDone: progress.hasReceivingAccount,
    },
    {
      title: 'Choose how transfers are reported',
      text: 'Connect a bank feed or SFTP, or upload statements of your bank.',
      to: '/bank-feeds',
      mode: 'live',
      isDone: progress.hasTransferSource,
    },
    {
      title: 'Set your website',
      text: 'Customers return there after a payment.',
      to: '/settings',
      isDone: me.websiteUrl !== null,
    },
    {
      title: 'Add your logo or color',
      text: 'Customers recognize your shop on the payment pages.',
      to: '/settings',
      isDone: me.logoUrl !== null || me.brandColor !== null,
    },
    {
      title: 'Set the time zone',
      text: 'It decides where the days of your reports begin.',
      to: '/settings',
      isDone: me.timeZone !== 'UTC',
    },
    {
      title: 'Turn on two-factor authentication',
      text: 'It protects your money if your password is stolen.',
      to: '/account',
      isDone: viewer?.user.hasTwoFactor ?? false,
    },
    {
      title: 'Invite your team',
      text: 'Choose for each person what they can do.',
      to: '/users',
      isDone: progress.hasTeam,
      isOptional: true,
    },
    {
      title: 'Connect your shop system',
      text: 'A webhook reports each payment to your server.',
      to: '/webhooks',
      mode: 'live',
      isDone: progress.hasWebhook,
      isOptional: true,
    },
    {
      title: 'Deliver email',
      text: 'The operator of this server sets SMTP_URL. Until then, messages are only stored.',
      to: '/help/operations/mail-and-sms',
      isDone: isMailDelivered,
    },
    {
      title: 'Take the first live payment',
      text: 'Share a checkout link with a customer, or pay a small amount yourself.',
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
        aria-label={isDone ? 'Done' : 'To do'}
      >
        {isDone && <CheckIcon />}
      </span>
      <div>
        <Group gap="xs">
          <Anchor component={RouterLink} href={to} fw={600} size="sm" onClick={changeMode}>
            {title}
          </Anchor>
          {stepMode !== undefined && stepMode !== mode && !isDone && <Note>opens {stepMode} mode</Note>}
          {isOptional && <Note>optional</Note>}
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

/** Offers sample data in an empty sandbox, to users who may create charges and payments there. */
function SampleData({ hasCharges, onCreated }: { hasCharges: boolean; onCreated: () => void }) {
  const { mode } = useMode();
  const { permissions } = useViewer();
  const isAllowed = permissions.includes('write') && permissions.includes('transfers');
  if (mode !== 'sandbox' || hasCharges || !isAllowed) return null;
  return <SampleDataButton onCreated={onCreated} />;
}
