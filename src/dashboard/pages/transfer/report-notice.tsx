import { Alert, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link as RouterLink, useLocation } from 'wouter';
import { rowButtonProps } from '../../components/confirm-button.tsx';
import { Link } from '../../components/link.tsx';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { useMode } from '../../use-mode.ts';
import { useHasPermission } from '../../viewer.ts';
import {
  type ExpectedTransfer,
  type RecordedCharge,
  RecordTransferDialog,
} from './record-transfer-dialog.tsx';

/** Explains in live mode that nothing reports the expected payment, and offers the ways to report it. */
export function ReportNotice(props: {
  title: string;
  expected: ExpectedTransfer;
  /** Returns whether the recorded transfer pays this charge. If not, its page opens. */
  isPayment: (charge: RecordedCharge) => boolean;
  children: ReactNode;
}) {
  const { title, expected, isPayment, children } = props;
  const { mode } = useMode();
  const canManageTransfers = useHasPermission('transfers');
  const [opened, dialog] = useDisclosure();
  const [, navigate] = useLocation();
  if (mode !== 'live') return null;
  return (
    <Alert color="amber" variant="light" w="100%" title={title}>
      {children}
      {canManageTransfers && (
        <>
          <Group gap="sm" mt="sm">
            <Button {...rowButtonProps} onClick={dialog.open}>
              {t.transfer.recordTransfer}
            </Button>
            <Button
              {...rowButtonProps}
              component={RouterLink}
              href={`/statements/new?account=${expected.accountId}`}
            >
              {t.statement.importStatement}
            </Button>
          </Group>
          <Text size="sm" mt="sm">
            {fillNodes(t.transfer.toSeeEachPayment, {
              ways: (
                <Link to="/bank-feeds" underline="always">
                  {t.transfer.connectABankFeed}
                </Link>
              ),
            })}
          </Text>
          <RecordTransferDialog
            opened={opened}
            onClose={dialog.close}
            expected={expected}
            onRecorded={({ id }, charge) => {
              dialog.close();
              if (!charge || !isPayment(charge)) navigate(`/transfers/${id}`);
            }}
          />
        </>
      )}
    </Alert>
  );
}
