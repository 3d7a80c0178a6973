import { Alert, Box, Group, MultiSelect, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { fillText } from '../../../language/fill-text.ts';
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
import { formatAmount } from '../../format/amount.ts';
import { pluralize } from '../../format/count.ts';
import { formatError } from '../../graphql/errors.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { MonthlyVolumes } from '../access/monthly-volumes.tsx';
import { OperationNames } from '../access/operation-names.tsx';
import { MerchantStatus } from './merchant-status.tsx';
import {
  declineAccessMutation,
  grantAccessMutation,
  type MerchantDetail,
  merchantQuery,
  operationNamesQuery,
  setMerchantEnabledMutation,
  setOperationsEnabledMutation,
} from './merchants-query.ts';

/** Operators see only the data that they need for their decisions, and only sums of payments. */
export default function MerchantPage({ id }: { id: string }) {
  const query = useCachedQuery(merchantQuery, { id });
  return (
    <Loaded query={query} lines={8}>
      {({ merchant }) =>
        merchant ? (
          <Merchant merchant={merchant} onChanged={query.refresh} />
        ) : (
          <PageHeader title={t.operator.merchantNotFound} text={t.operator.thereIsNoMerchant} />
        )
      }
    </Loaded>
  );
}

function Merchant({ merchant, onChanged }: { merchant: MerchantDetail; onChanged: () => void }) {
  const { id, name, isDemo, disabledAt, createdAt, disabledOperations, activity } = merchant;
  const isHere = merchant.moveStatus !== 'moved';
  const actionProps = { merchant, onChanged };
  return (
    <>
      <BackLink to="/">{t.operator.merchants}</BackLink>
      <PageHeader
        title={name}
        objectType={t.operator.merchant}
        badge={
          <Group gap="xs">
            <MerchantStatus merchant={merchant} />
            {isDemo && <DemoBadge />}
          </Group>
        }
        text={id}
      >
        {isHere && <ToggleMerchant {...actionProps} />}
      </PageHeader>
      <Stack gap="lg">
        {!isHere && (
          <Alert color="blue" variant="light">
            {t.operator.theMerchantRunsElsewhere}
          </Alert>
        )}
        <Section title={t.common.merchantAccount}>
          <Facts
            facts={[
              [t.common.created, <Moment key="opened" at={createdAt} format="long" />],
              [
                t.operator.disabled,
                disabledAt !== null && <Moment key="off" at={disabledAt} format="long" />,
              ],
              [t.operator.movedTo, merchant.movedTo],
              [
                t.operator.movedAt,
                merchant.movedAt !== null && <Moment key="moved" at={merchant.movedAt} format="long" />,
              ],
              [t.operator.volume30Days, activity && <Activity key="volume" {...activity} />],
              [
                t.operator.lastCharge,
                activity?.lastChargeAt && <Moment key="last" at={activity.lastChargeAt} />,
              ],
            ]}
          />
        </Section>
        <Section
          title={t.operator.restrictedOperations}
          aside={<StatusBadge status={`access_${merchant.restrictedAccess}`} />}
        >
          <MerchantAccess {...actionProps} />
        </Section>
        <Section title={t.operator.volumeOfTheLast} isFlush>
          <MonthlyVolumes months={merchant.monthlyVolumes} isGranted={false} />
        </Section>
        <Section
          title={t.operator.disabledOperations}
          aside={isHere && <ToggleOperations {...actionProps} shouldEnable={false} />}
          isFlush
        >
          {disabledOperations.length === 0 ? (
            <EmptyState title={t.common.none}>{t.operator.allOperationsAreEnabled}</EmptyState>
          ) : (
            <Box px="lg" pb="lg">
              <OperationNames operations={disabledOperations}>
                {isHere && <ToggleOperations {...actionProps} shouldEnable />}
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
    <>{pluralize(chargeCount, t.operator.amountInLivePayments, { amount: formatAmount(volumeUsd, 'USD') })}</>
  );
}

function MerchantAccess(props: { merchant: MerchantDetail; onChanged: () => void }) {
  const { restrictedAccess, restrictedAccessRequestedAt, restrictedAccessDeclineReason } = props.merchant;
  return (
    <Stack align="flex-start" gap="sm">
      {restrictedAccess === 'granted' && <Text>{t.operator.theMerchantHasAccess}</Text>}
      {restrictedAccess === 'none' && restrictedAccessDeclineReason === null && (
        <Text>{t.operator.theMerchantHasNo}</Text>
      )}
      {restrictedAccessRequestedAt !== null && (
        <Text>
          {fillNodes(t.operator.theMerchantRequestedAccess, {
            moment: <Moment at={restrictedAccessRequestedAt} format="day" />,
          })}
        </Text>
      )}
      {restrictedAccessDeclineReason !== null && (
        <Alert color="amber" variant="light" title={t.operator.declined} w="100%">
          {restrictedAccessDeclineReason}
        </Alert>
      )}
      {props.merchant.moveStatus !== 'moved' && <AccessButtons {...props} />}
    </Stack>
  );
}

/** Access can also be granted without a request. */
function AccessButtons({ merchant, onChanged }: { merchant: MerchantDetail; onChanged: () => void }) {
  const { id, name, restrictedAccess } = merchant;
  const grant = useMutationAction(grantAccessMutation, onChanged);
  const decline = useMutationAction(declineAccessMutation, onChanged);
  const isGranted = restrictedAccess === 'granted';
  return (
    <Group gap="sm">
      {!isGranted && (
        <ConfirmButton
          label={t.operator.grantAccess}
          title={fillText(t.operator.grantAccessTo, { name })}
          onConfirm={() => grant({ input: { merchantId: id } })}
        >
          <Text size="sm">{t.operator.theMerchantWillBe}</Text>
        </ConfirmButton>
      )}
      {restrictedAccess !== 'none' && (
        <ConfirmButton
          label={isGranted ? t.operator.revokeAccess : t.operator.decline}
          title={
            isGranted
              ? fillText(t.operator.revokeAccessFor, { name })
              : fillText(t.operator.declineTheRequestFrom, { name })
          }
          confirmLabel={isGranted ? t.operator.revokeAccess : t.operator.declineRequest}
          isDanger
          variant="default"
          onConfirm={(form) => decline({ input: { merchantId: id, reason: String(form.get('reason')) } })}
        >
          <Textarea
            label={t.common.reason}
            name="reason"
            description={t.operator.shownToTheMerchant}
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
      label={isEnabled ? t.operator.disable : t.operator.enable}
      title={
        isEnabled ? fillText(t.operator.disableTitle, { name }) : fillText(t.operator.enableTitle, { name })
      }
      confirmLabel={isEnabled ? t.operator.disableMerchant : t.operator.enableMerchant}
      isDanger={isEnabled}
      variant="default"
      onConfirm={() => setEnabled({ input: { merchantId: id, isEnabled: !isEnabled } })}
    >
      <Text size="sm">{isEnabled ? t.operator.itsApiKeysUsers : t.operator.itsApiKeysUsersAnd}</Text>
    </ConfirmButton>
  );
}

function ToggleOperations({
  merchant,
  onChanged,
  shouldEnable,
}: MerchantActionsProps & { shouldEnable: boolean }) {
  const { id, disabledOperations } = merchant;
  const setOperationsEnabled = useMutationAction(setOperationsEnabledMutation, onChanged);
  const title = shouldEnable ? t.operator.enableOperations : t.operator.disableOperations;
  return (
    <ConfirmButton
      label={title}
      title={title}
      size="xs"
      variant="default"
      onConfirm={async (form) => {
        const operations = form.getAll('operations').map(String);
        if (operations.length === 0) return t.operator.selectAtLeastOne;
        return setOperationsEnabled({ input: { merchantId: id, operations, isEnabled: shouldEnable } });
      }}
    >
      {shouldEnable ? (
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
        label={t.operator.operations}
        description={t.operator.thisAlsoAppliesTo}
        placeholder={selected.length === 0 ? t.operator.searchSuchAsCreaterefund : ''}
        data={[...operations]}
        value={selected}
        onChange={setSelected}
        {...searchableSelectProps}
        clearable
        clearButtonProps={{ 'aria-label': t.common.clearSelection }}
        data-autofocus
      />
      {selected.map((operation) => (
        <input key={operation} type="hidden" name="operations" value={operation} />
      ))}
    </>
  );
}
