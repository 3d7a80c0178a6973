import { Group, Text, Textarea } from '@mantine/core';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { useAct } from '../../parts/use-act.ts';
import { declineMutation, grantMutation, type MerchantDetail } from './merchants-query.ts';

/** Grants what was asked for, or declines it with a reason; granted access can be taken away. */
export function DecideAccess({ merchant, onChanged }: { merchant: MerchantDetail; onChanged: () => void }) {
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
          confirm="Grant it"
          onConfirm={() => grant({ input: { merchantId: id } })}
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
          onConfirm={(form) => decline({ input: { merchantId: id, reason: String(form.get('reason')) } })}
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
