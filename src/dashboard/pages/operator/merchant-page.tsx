import { Alert, Box, Group, MultiSelect, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Facts } from '../../components/facts.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { searchableSelectProps } from '../../components/searchable-select-props.ts';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useMutationAction } from '../../components/use-mutation-action.ts';
import { pluralize } from '../../format/count.ts';
import { formatError } from '../../graphql/errors.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { MonthlyVolumes } from '../access/monthly-volumes.tsx';
import { OperationNames } from '../access/operation-names.tsx';
import {
  declineAccessMutation,
  grantAccessMutation,
  type MerchantDetail,
  merchantQuery,
  operationNamesQuery,
  setMerchantEnabledMutation,
  setOperationsEnabledMutation,
} from './merchants-query.ts';

/** Shows a merchant to operators: only the data that they need for their decisions, and only sums of payments. */
export default function MerchantPage({ id }: { id: string }) {
  const query = useCachedQuery(merchantQuery, { id });
  return (
    <Loaded query={query} lines={8}>
      {({ merchant }) =>
        merchant ? (
          <Merchant merchant={merchant} onChanged={query.refresh} />
        ) : (
          <PageHeader title="Merchant not found" text="There is no merchant with this ID." />
        )
      }
    </Loaded>
  );
}

function Merchant({ merchant, onChanged }: { merchant: MerchantDetail; onChanged: () => void }) {
  const { id, name, isDemo, disabledAt, createdAt, disabledOperations, activity } = merchant;
  const actionProps = { merchant, onChanged };
  return (
    <>
      <BackLink to="/">Merchants</BackLink>
      <PageHeader
        title={name}
        objectType="Merchant"
        badge={
          <Group gap="xs">
            <StatusBadge status={disabledAt === null ? 'active' : 'off'} />
            {isDemo && <DemoBadge />}
          </Group>
        }
        text={id}
      >
        <ToggleMerchant {...actionProps} />
      </PageHeader>
      <Stack gap="lg">
        <Section title="Account">
          <Facts
            facts={[
              ['Created', <Moment key="opened" at={createdAt} format="long" />],
              ['Disabled', disabledAt !== null && <Moment key="off" at={disabledAt} format="long" />],
              ['Volume, 30 days', activity && <Activity key="volume" {...activity} />],
              ['Last charge', activity?.lastChargeAt && <Moment key="last" at={activity.lastChargeAt} />],
            ]}
          />
        </Section>
        <Section
          title="Restricted operations"
          aside={<StatusBadge status={`access_${merchant.restrictedAccess}`} />}
        >
          <MerchantAccess {...actionProps} />
        </Section>
        <Section title="Volume of the last six full months" isFlush>
          <MonthlyVolumes months={merchant.monthlyVolumes} isGranted={false} />
        </Section>
        <Section
          title="Disabled operations"
          aside={<ToggleOperation {...actionProps} isEnabled={false} />}
          isFlush
        >
          {disabledOperations.length === 0 ? (
            <EmptyState title="None">
              All operations are enabled, within the limits of restricted access.
            </EmptyState>
          ) : (
            <Box px="lg" pb="lg">
              <OperationNames operations={disabledOperations}>
                <ToggleOperation {...actionProps} isEnabled />
              </OperationNames>
            </Box>
          )}
        </Section>
      </Stack>
    </>
  );
}

function Activity({ chargeCount, volumeUsd }: { chargeCount: number; volumeUsd: string }) {
  return (
    <>
      <Amount value={volumeUsd} currency="USD" /> in {pluralize(chargeCount, 'live payment')}
    </>
  );
}

function MerchantAccess(props: { merchant: MerchantDetail; onChanged: () => void }) {
  const { restrictedAccess, restrictedAccessRequestedAt, restrictedAccessDeclineReason } = props.merchant;
  return (
    <Stack align="flex-start" gap="sm">
      {restrictedAccess === 'granted' && <Text>The merchant has access.</Text>}
      {restrictedAccess === 'none' && restrictedAccessDeclineReason === null && (
        <Text>The merchant has no access and hasn’t requested it.</Text>
      )}
      {restrictedAccessRequestedAt !== null && (
        <Text>
          The merchant requested access on <Moment at={restrictedAccessRequestedAt} format="day" />.
        </Text>
      )}
      {restrictedAccessDeclineReason !== null && (
        <Alert color="amber" variant="light" title="Declined" w="100%">
          {restrictedAccessDeclineReason}
        </Alert>
      )}
      <DecideAccess {...props} />
    </Stack>
  );
}

/** Grants or declines a request for restricted access, or revokes granted access. */
function DecideAccess({ merchant, onChanged }: { merchant: MerchantDetail; onChanged: () => void }) {
  const { id, name, restrictedAccess } = merchant;
  const grant = useMutationAction(grantAccessMutation, onChanged);
  const decline = useMutationAction(declineAccessMutation, onChanged);
  const isGranted = restrictedAccess === 'granted';
  return (
    <Group gap="sm">
      {!isGranted && (
        <ConfirmButton
          label="Grant access"
          title={`Grant access to ${name}?`}
          onConfirm={() => grant({ input: { merchantId: id } })}
        >
          <Text size="sm">
            The merchant will be able to create charges via the API, verify phone numbers and read the texts
            of the customer pages in live mode.
          </Text>
        </ConfirmButton>
      )}
      {restrictedAccess !== 'none' && (
        <ConfirmButton
          label={isGranted ? 'Revoke access' : 'Decline'}
          title={isGranted ? `Revoke access for ${name}?` : `Decline the request from ${name}?`}
          confirmLabel={isGranted ? 'Revoke access' : 'Decline request'}
          isDanger
          variant="default"
          onConfirm={(form) => decline({ input: { merchantId: id, reason: String(form.get('reason')) } })}
        >
          <Textarea
            label="Reason"
            name="reason"
            description="Shown to the merchant"
            maxLength={500}
            autosize
            minRows={2}
            required
            withAsterisk={false}
            data-autofocus
          />
        </ConfirmButton>
      )}
    </Group>
  );
}

type MerchantActionsProps = { merchant: MerchantDetail; onChanged: () => void };

function ToggleMerchant({ merchant, onChanged }: MerchantActionsProps) {
  const { id, name, disabledAt } = merchant;
  const setEnabled = useMutationAction(setMerchantEnabledMutation, onChanged);
  const isEnabled = disabledAt === null;
  return (
    <ConfirmButton
      label={isEnabled ? 'Disable' : 'Enable'}
      title={isEnabled ? `Disable ${name}?` : `Enable ${name}?`}
      confirmLabel={isEnabled ? 'Disable merchant' : 'Enable merchant'}
      isDanger={isEnabled}
      variant="default"
      onConfirm={() => setEnabled({ input: { id, isEnabled: !isEnabled } })}
    >
      <Text size="sm">
        {isEnabled
          ? 'Its API keys, users and customer pages stop working immediately, and customers can’t start payments. Incoming transfers are still recorded.'
          : 'Its API keys, users and customer pages will work again immediately.'}
      </Text>
    </ConfirmButton>
  );
}

function ToggleOperation({ merchant, onChanged, isEnabled }: MerchantActionsProps & { isEnabled: boolean }) {
  const { id, disabledOperations } = merchant;
  const setOperationsEnabled = useMutationAction(setOperationsEnabledMutation, onChanged);
  const title = isEnabled ? 'Enable operations' : 'Disable operations';
  return (
    <ConfirmButton
      label={title}
      title={title}
      size="xs"
      variant="default"
      onConfirm={async (form) => {
        const operations = form.getAll('operations').map(String);
        if (operations.length === 0) return 'Select at least one operation.';
        return setOperationsEnabled({ input: { merchantId: id, operations, isEnabled } });
      }}
    >
      {isEnabled ? (
        <OperationSelect operations={disabledOperations} />
      ) : (
        <EnabledOperationSelect disabledOperations={disabledOperations} />
      )}
    </ConfirmButton>
  );
}

function EnabledOperationSelect({ disabledOperations }: Pick<MerchantDetail, 'disabledOperations'>) {
  const { data, error } = useCachedQuery(operationNamesQuery);
  const operations = (data?.operationNames ?? []).filter((name) => !disabledOperations.includes(name));
  return (
    <>
      <ErrorAlert text={error && formatError(error)} />
      <OperationSelect operations={operations} />
    </>
  );
}

function OperationSelect({ operations }: { operations: readonly string[] }) {
  const [selected, setSelected] = useState<string[]>([]);
  return (
    <>
      <MultiSelect
        label="Operations"
        description="This also applies to the REST routes that do the same."
        placeholder={selected.length === 0 ? 'Search, such as createRefund' : ''}
        data={[...operations]}
        value={selected}
        onChange={setSelected}
        {...searchableSelectProps}
        clearable
        clearButtonProps={{ 'aria-label': 'Clear operations' }}
        data-autofocus
      />
      {selected.map((operation) => (
        <input key={operation} type="hidden" name="operations" value={operation} />
      ))}
    </>
  );
}
