import type { AnyVariables, OperationContext, TypedDocumentNode } from 'urql';
import { type Answer, refusalOf } from '../graphql/refusal.ts';
import { useProvenMutation } from './second-factor-proof.tsx';

/** A mutation as a dialog has it done: answers the sentence to show where it was refused; else `onDone` has been called. */
export function useAct<Data extends Answer, Variables extends AnyVariables>(
  mutation: TypedDocumentNode<Data, Variables>,
  onDone: () => void = () => {},
): (variables: Variables, context?: Partial<OperationContext>) => Promise<string | undefined> {
  const [, execute] = useProvenMutation(mutation);
  return async (variables, context) => {
    const refused = refusalOf(await execute(variables, context));
    if (refused === undefined) onDone();
    return refused;
  };
}
