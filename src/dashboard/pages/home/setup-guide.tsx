import { Anchor, Badge, Box, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'wouter';
import { fillText } from '../../../language/fill-text.ts';
import { CheckIcon } from '../../components/icons.tsx';
import { Section } from '../../components/section.tsx';
import { useStoredFlag } from '../../components/use-stored-flag.ts';
import { pluralize } from '../../format/count.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission, useIsOwner, useViewer } from '../../viewer.ts';
import { MissingRatesAlert } from '../missing-rates.tsx';
import { DeleteSandboxDataButton } from '../settings/delete-sandbox-data.tsx';
import { SampleDataButton } from './sample-data.tsx';
import classes from './setup-guide.module.css';
import { setupQuery } from './setup-query.ts';
import { listSetupSteps, type SetupStep } from './setup-steps.ts';

/**
 * Shows the steps to the first live payment. After it, a smaller card leads to the undone steps until the user
 * dismisses it.
 */
export function SetupGuide({ onSampleData }: { onSampleData: () => void }) {
  const canWrite = useHasPermission('write');
  const query = useCachedQuery(setupQuery);
  if (!canWrite || !query.data) return null;
  const { data, refresh } = query;
  const steps = listSetupSteps(data);
  const sampleData = (
    <SampleData
      hasCharges={data.charges.nodes.length > 0}
      isSettingUp={!data.me.setupProgress.hasLivePayment}
      onCreated={() => {
        refresh();
        onSampleData();
      }}
    />
  );
  if (data.me.setupProgress.hasLivePayment)
    return (
      <>
        <RemainingSteps key={data.me.id} merchantId={data.me.id} steps={steps} />
        {sampleData}
      </>
    );
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
        <StepList steps={steps} />
        {sampleData}
      </Stack>
    </Section>
  );
}

/** The browser stores the dismissal, because the steps stay undone for the other users of the merchant. */
function RemainingSteps({ merchantId, steps }: { merchantId: string; steps: SetupStep[] }) {
  const [isDismissed, setDismissed] = useStoredFlag(`causeway-setup-dismissed-${merchantId}`, false);
  const [isOpen, { toggle }] = useDisclosure();
  if (isDismissed || steps.length === 0) return null;
  return (
    <Paper withBorder radius="lg" px="lg" py="sm" bg="var(--causeway-card)">
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {pluralize(steps.length, t.home.stepsLeft)}
        </Text>
        <Group gap="xs">
          <Button variant="subtle" size="compact-sm" onClick={toggle} aria-expanded={isOpen}>
            {isOpen ? t.home.hideSteps : t.home.showSteps}
          </Button>
          <Button variant="subtle" size="compact-sm" color="gray" onClick={() => setDismissed(true)}>
            {t.home.dismissSetup}
          </Button>
        </Group>
      </Group>
      {isOpen && (
        <Box py="sm">
          <StepList steps={steps} />
        </Box>
      )}
    </Paper>
  );
}

function StepList({ steps }: { steps: SetupStep[] }) {
  return (
    <ol className={classes.steps}>
      {steps.map((step) => (
        <Step key={step.title} {...step} />
      ))}
    </ol>
  );
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

/**
 * Adds sample data to an empty sandbox, for users with both permissions that it needs. Owners who still set up the shop
 * can delete it again here.
 */
function SampleData(props: { hasCharges: boolean; isSettingUp: boolean; onCreated: () => void }) {
  const { hasCharges, isSettingUp, onCreated } = props;
  const { mode } = useMode();
  const { permissions } = useViewer();
  const isOwner = useIsOwner();
  if (mode !== 'sandbox') return null;
  if (hasCharges)
    return isOwner && isSettingUp ? (
      <Group gap="sm">
        <DeleteSandboxDataButton />
        <Text size="sm" c="var(--causeway-muted)">
          {t.settings.emptyTheSandbox}
        </Text>
      </Group>
    ) : null;
  const isAllowed = permissions.includes('write') && permissions.includes('transfers');
  return isAllowed ? <SampleDataButton onCreated={onCreated} /> : null;
}
