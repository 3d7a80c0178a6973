import { Alert, Box, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { BackLink } from '../../components/back-link.tsx';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { DemoBadge } from '../../components/demo-badge.tsx';
import { Empty } from '../../components/empty.tsx';
import { Facts } from '../../components/facts.tsx';
import { textOf } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Moment } from '../../components/moment.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { useAct } from '../../components/use-act.ts';
import { useRead } from '../../graphql/use-read.ts';
import { AccessMonths } from '../access/access-months.tsx';
import { OperationNames } from '../access/operation-names.tsx';
import {
  declineMutation,
  disableMutation,
  grantMutation,
  type MerchantDetail,
  merchantQuery,
  switchMutation,
} from './merchants-query.ts';

/** One merchant as an operator sees it: nothing of its business but what the operator decides about. */
export default function MerchantPage({ id }: { id: string }) {
  const read = useRead(merchantQuery, { id });
  return (
    <Loaded read={read} lines={8}>
      {({ merchant }) =>
        merchant ? (
          <Merchant merchant={merchant} onChanged={read.refresh} />
        ) : (
          <PageHeader title="Merchant not found" text="There is no merchant with this ID." />
        )
      }
    </Loaded>
  );
}

function Merchant({ merchant, onChanged }: { merchant: MerchantDetail; onChanged: () => void }) {
  const { id, name, demo, disabledAt, createdAt, switchedOff } = merchant;
  const props = { merchant, onChanged };
  return (
    <>
      <BackLink to="/">Merchants</BackLink>
      <PageHeader
        title={name}
        noun="Merchant"
        badge={
          <Group gap="xs">
            <StatusBadge status={disabledAt === null ? 'active' : 'off'} />
            {demo && <DemoBadge />}
          </Group>
        }
        text={id}
      >
        <SwitchAccount {...props} />
      </PageHeader>
      <Stack gap="lg">
        <Section title="Account">
          <Facts
            facts={[
              ['Created', <Moment key="opened" at={createdAt} form="long" />],
              ['Disabled', disabledAt !== null && <Moment key="off" at={disabledAt} form="long" />],
            ]}
          />
        </Section>
        <Section
          title="Restricted operations"
          aside={<StatusBadge status={`access_${merchant.restrictedAccess}`} />}
        >
          <Access {...props} />
        </Section>
        <Section title="Volume of the last six full months" flush>
          <AccessMonths months={merchant.accessMonths} />
        </Section>
        <Section title="Disabled operations" aside={<SwitchOperation {...props} to="off" />} flush>
          {switchedOff.length === 0 ? (
            <Empty title="None">All operations are enabled, within the limits of restricted access.</Empty>
          ) : (
            <Box px="lg" pb="lg">
              <OperationNames operations={switchedOff}>
                <SwitchOperation {...props} to="on" />
              </OperationNames>
            </Box>
          )}
        </Section>
      </Stack>
    </>
  );
}

function Access(props: { merchant: MerchantDetail; onChanged: () => void }) {
  const { restrictedAccess, accessRequestedAt, accessDeclineReason } = props.merchant;
  return (
    <Stack align="flex-start" gap="sm">
      {restrictedAccess === 'granted' && <Text>The merchant has access.</Text>}
      {restrictedAccess === 'none' && accessDeclineReason === null && (
        <Text>The merchant has no access and hasn’t requested it.</Text>
      )}
      {accessRequestedAt !== null && (
        <Text>
          The merchant requested access on <Moment at={accessRequestedAt} form="day" />.
        </Text>
      )}
      {accessDeclineReason !== null && (
        <Alert color="amber" variant="light" title="Declined" w="100%">
          {accessDeclineReason}
        </Alert>
      )}
      <DecideAccess {...props} />
    </Stack>
  );
}

/** Grants what was asked for, or declines it with a reason; granted access can be taken away. */
function DecideAccess({ merchant, onChanged }: { merchant: MerchantDetail; onChanged: () => void }) {
  const { id, name, restrictedAccess } = merchant;
  const grant = useAct(grantMutation, onChanged);
  const decline = useAct(declineMutation, onChanged);
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
            The merchant will be able to create charges over the API, verify phones and read the interface’s
            strings in live mode.
          </Text>
        </ConfirmButton>
      )}
      {restrictedAccess !== 'none' && (
        <ConfirmButton
          label={isGranted ? 'Revoke access' : 'Decline'}
          title={isGranted ? `Revoke access for ${name}?` : `Decline the request from ${name}?`}
          confirm={isGranted ? 'Revoke access' : 'Decline request'}
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

type Props = { merchant: MerchantDetail; onChanged: () => void };

/** Switches the whole account off, or on again. */
function SwitchAccount({ merchant, onChanged }: Props) {
  const { id, name, disabledAt } = merchant;
  const disable = useAct(disableMutation, onChanged);
  const isOn = disabledAt === null;
  return (
    <ConfirmButton
      label={isOn ? 'Disable' : 'Enable'}
      title={isOn ? `Disable ${name}?` : `Enable ${name}?`}
      confirm={isOn ? 'Disable merchant' : 'Enable merchant'}
      isDanger={isOn}
      variant="default"
      onConfirm={() => disable({ input: { merchantId: id, disabled: isOn } })}
    >
      <Text size="sm">
        {isOn
          ? 'Its keys, users and pages will be rejected immediately, and customers can’t start payments. Incoming transfers are still recorded.'
          : 'Its keys, users and pages will work again immediately.'}
      </Text>
    </ConfirmButton>
  );
}

/** Switches one operation off or on, by its name in GraphQL. */
function SwitchOperation({ merchant, onChanged, to }: Props & { to: 'on' | 'off' }) {
  const { id } = merchant;
  const switchOperations = useAct(switchMutation, onChanged);
  const title = to === 'off' ? 'Disable operation' : 'Enable operation';
  return (
    <ConfirmButton
      label={title}
      title={title}
      size="xs"
      variant="default"
      onConfirm={(form) =>
        switchOperations({
          input: { merchantId: id, operations: [textOf(form, 'operation')], on: to === 'on' },
        })
      }
    >
      <TextInput
        label="Operation"
        name="operation"
        description="The operation’s name in GraphQL, such as createRefund. This also applies to REST."
        autoComplete="off"
        spellCheck={false}
        required
        withAsterisk={false}
        data-autofocus
      />
    </ConfirmButton>
  );
}
