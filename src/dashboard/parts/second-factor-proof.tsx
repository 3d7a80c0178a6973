import { Button, Modal, Text } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { type AnyVariables, type TypedDocumentNode, useMutation } from 'urql';
import { graphql } from '../graphql/graphql.ts';
import { refusalFields } from '../graphql/refusal.ts';
import { CodeInput } from './code-input.tsx';
import { Form, Submit } from './form.tsx';
import { useOutcome } from './use-outcome.ts';

const proveMutation = graphql(
  `
    mutation ProveSecondFactor($input: ProveSecondFactorInput!) {
      proveSecondFactor(input: $input) {
        __typename
        ...Refusal
      }
    }
  `,
  [refusalFields],
);

/** Asks for a code; answers whether one was given. */
type Prove = () => Promise<boolean>;
const ProofContext = createContext<Prove>(async () => false);

/** The dialog that asks for the second factor again, wherever within it something takes that. */
export function SecondFactorProof({ children }: { children: ReactNode }) {
  const [{ fetching }, prove] = useMutation(proveMutation);
  const [opened, setOpened] = useState(false);
  const outcome = useOutcome();
  const settle = useRef<(isProved: boolean) => void>(() => {});
  const ask = useCallback<Prove>(() => {
    setOpened(true);
    return new Promise((resolve) => {
      settle.current = resolve;
    });
  }, []);
  const close = (isProved: boolean) => {
    setOpened(false);
    outcome.say();
    settle.current(isProved);
  };
  const submit = async (form: FormData) => {
    if (outcome.take(await prove({ input: { code: String(form.get('code')) } }))) close(true);
  };
  return (
    <ProofContext.Provider value={ask}>
      {children}
      <Modal opened={opened} onClose={() => close(false)} title="Enter a code" zIndex={400} centered>
        <Form outcome={outcome} onSubmit={submit}>
          <Text size="sm">This can change where money goes, so it asks for your second factor again.</Text>
          <CodeInput />
          <Submit isBusy={fetching}>Continue</Submit>
        </Form>
      </Modal>
    </ProofContext.Provider>
  );
}

/** A button for what is shown once the second factor has been given again. */
export function ShowButton({ label, onProved }: { label: string; onProved: () => void }) {
  const prove = useContext(ProofContext);
  const show = async () => {
    if (await prove()) onProved();
  };
  return (
    <Button variant="default" size="compact-sm" onClick={show}>
      {label}
    </Button>
  );
}

/**
 * As `useMutation`, of one that may ask for the second factor again: then it is asked for, and the mutation repeated. Not
 * for those that take the code themselves, as signing in does.
 */
export function useProvenMutation<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
): ReturnType<typeof useMutation<Data, Variables>> {
  const [state, execute] = useMutation(query);
  const prove = useContext(ProofContext);
  const run: typeof execute = useCallback(
    async (variables, context) => {
      const outcome = await execute(variables, context);
      return isAsked(outcome.data) && (await prove()) ? execute(variables, context) : outcome;
    },
    [execute, prove],
  );
  return [state, run];
}

function isAsked(data: unknown): boolean {
  const [answer] = Object.values((data ?? {}) as Record<string, { code?: string } | null>);
  return answer?.code === 'second_factor_required';
}
