import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useMutation } from 'urql';
import { isZero } from '../../format/amount.ts';
import { graphql } from '../../graphql/graphql.ts';
import { refusalOf } from '../../graphql/refusal.ts';
import { useMode } from '../../use-mode.ts';
import { useMay } from '../../viewer.ts';
import type { ChargeDetails } from './charge-query.ts';

const cancelMutation = graphql(`
  mutation CancelCharge($id: ID!) {
    cancelCharge(input: { id: $id }) {
      __typename
      ... on CancelChargeSuccess {
        charge {
          id
          status
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

const completeMutation = graphql(`
  mutation CompleteSandboxCharge($id: ID!) {
    completeSandboxCharge(input: { id: $id }) {
      __typename
      ... on CompleteSandboxChargeSuccess {
        charge {
          id
          status
        }
      }
      ... on Error {
        code
        message
      }
    }
  }
`);

/** What can be done with a pending charge: complete it in the sandbox, cancel it. */
export function ChargeActions({ charge }: { charge: ChargeDetails }) {
  const { mode } = useMode();
  const mayWrite = useMay('write');
  const [{ fetching }, complete] = useMutation(completeMutation);
  const [refusal, setRefusal] = useState<string>();
  if (charge.status !== 'pending' || !mayWrite) return null;
  const completeNow = async () => setRefusal(refusalOf(await complete({ id: charge.id })));
  return (
    <Stack gap="xs" align="flex-end">
      <Group gap="sm">
        {mode === 'sandbox' && (
          <Button onClick={completeNow} loading={fetching}>
            Complete
          </Button>
        )}
        <CancelButton charge={charge} />
      </Group>
      {refusal !== undefined && (
        <Text c="red" size="sm" role="alert">
          {refusal}
        </Text>
      )}
    </Stack>
  );
}

function CancelButton({ charge }: { charge: ChargeDetails }) {
  const [{ fetching }, cancel] = useMutation(cancelMutation);
  const [opened, { open, close }] = useDisclosure();
  const [refusal, setRefusal] = useState<string>();
  const cancelNow = async () => {
    const refused = refusalOf(await cancel({ id: charge.id }));
    setRefusal(refused);
    if (refused === undefined) close();
  };
  return (
    <>
      <Button variant="default" onClick={open}>
        Cancel charge
      </Button>
      <Modal opened={opened} onClose={close} title="Cancel this charge?" centered>
        <Stack>
          <Text size="sm">
            The customer’s page will say that it was cancelled. Money that arrives afterwards has to be
            assigned by hand.
          </Text>
          {!isZero(charge.amountReceived) && (
            <Alert color="amber">Part of the amount has arrived already; it will wait to be assigned.</Alert>
          )}
          {refusal !== undefined && (
            <Alert color="red" role="alert">
              {refusal}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} data-autofocus>
              Keep it
            </Button>
            <Button color="red.9" onClick={cancelNow} loading={fetching}>
              Cancel charge
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
