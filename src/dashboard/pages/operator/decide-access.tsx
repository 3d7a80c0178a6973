import { Group, Text, Textarea } from '@mantine/core';
import { useMutation } from 'urql';
import { refusalOf } from '../../graphql/refusal.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { declineMutation, grantMutation, type MerchantDetail } from './merchants-query.ts';

/** Grants what was asked for, or declines it with a reason; granted access can be taken away. */
export function DecideAccess({ merchant, onChanged }: { merchant: MerchantDetail; onChanged: () => void }) {
  const { id, name, restrictedAccess } = merchant;
  const [, grant] = useMutation(grantMutation);
  const [, decline] = useMutation(declineMutation);
  const isGranted = restrictedAccess === 'granted';
  const refused = (text: string | undefined) => {
    if (text === undefined) onChanged();
    return text;
  };
  return (
    <Group gap="sm">
      {!isGranted && (
        <ConfirmButton
          label="Grant access"
          title={`Grant access to ${name}?`}
          confirm="Grant it"
          onConfirm={async () => refused(refusalOf(await grant({ input: { merchantId: id } })))}
        >
          <Text size="sm">
            The merchant may create charges over the API, verify phones and read the interface’s strings,
            live.
          </Text>
        </ConfirmButton>
      )}
      {restrictedAccess !== 'none' && (
        <ConfirmButton
          label={isGranted ? 'Take access away' : 'Decline'}
          title={isGranted ? `Take access from ${name}?` : `Decline the request of ${name}?`}
          confirm={isGranted ? 'Take it away' : 'Decline it'}
          isDanger
          variant="default"
          onConfirm={async (form) => {
            const input = { merchantId: id, reason: String(form.get('reason')) };
            return refused(refusalOf(await decline({ input })));
          }}
        >
          <Textarea
            label="Reason"
            name="reason"
            description="The merchant reads it"
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
