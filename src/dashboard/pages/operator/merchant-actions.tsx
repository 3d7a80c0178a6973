import { Text, TextInput } from '@mantine/core';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { textOf } from '../../parts/form.tsx';
import { useAct } from '../../parts/use-act.ts';
import { disableMutation, type MerchantDetail, switchMutation } from './merchants-query.ts';

type Props = { merchant: MerchantDetail; onChanged: () => void };

/** Switches the whole account off, or on again. */
export function SwitchAccount({ merchant, onChanged }: Props) {
  const { id, name, disabledAt } = merchant;
  const disable = useAct(disableMutation, onChanged);
  const isOn = disabledAt === null;
  return (
    <ConfirmButton
      label={isOn ? 'Switch off' : 'Switch on'}
      title={isOn ? `Switch ${name} off?` : `Switch ${name} on again?`}
      confirm={isOn ? 'Switch the account off' : 'Switch the account on'}
      isDanger={isOn}
      variant="default"
      onConfirm={() => disable({ input: { merchantId: id, disabled: isOn } })}
    >
      <Text size="sm">
        {isOn
          ? 'Its keys, users and pages are refused at once, and customers cannot start to pay. Money that arrives is recorded all the same.'
          : 'Its keys, users and pages work again at once.'}
      </Text>
    </ConfirmButton>
  );
}

/** Switches one operation off or on, by its name in GraphQL. */
export function SwitchOperation({ merchant, onChanged, to }: Props & { to: 'on' | 'off' }) {
  const { id } = merchant;
  const switchOperations = useAct(switchMutation, onChanged);
  const title = to === 'off' ? 'Switch an operation off' : 'Switch an operation on';
  return (
    <ConfirmButton
      label={title}
      title={title}
      confirm={to === 'off' ? 'Switch it off' : 'Switch it on'}
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
        description="Its name in GraphQL, such as createRefund; over REST the same is meant."
        autoComplete="off"
        spellCheck={false}
        required
        withAsterisk={false}
        data-autofocus
      />
    </ConfirmButton>
  );
}
