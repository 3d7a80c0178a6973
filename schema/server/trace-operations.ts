import { type ExecutionArgs, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type SpanOptions, type Tracer, withSpan } from '../../src/kit/tracer.ts';
import type { GraphqlContext } from '../kit/graphql-context.ts';

/** Operation names are chosen by callers; longer ones are truncated. */
const nameMax = 100;

/**
 * Traces each operation as a span, over every transport. The span of a subscription ends when its stream
 * starts.
 */
export function traceOperations(tracer: Tracer): Plugin<object, GraphqlContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { name, options } = describeOperation(args);
      setExecuteFn((executionArgs: ExecutionArgs) =>
        withSpan(tracer, name, options, async () => executeFn(executionArgs)),
      );
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const { name, options } = describeOperation(args);
      setSubscribeFn((executionArgs: ExecutionArgs) =>
        withSpan(tracer, name, options, async () => subscribeFn(executionArgs)),
      );
    },
  };
}

type TracedOperation = Pick<ExecutionArgs, 'document' | 'operationName'>;

function describeOperation({ document, operationName }: TracedOperation): {
  name: string;
  options: SpanOptions;
} {
  const operation = getOperationAST(document, operationName);
  const type = operation?.operation ?? 'query';
  const fields = operation?.selectionSet.selections ?? [];
  const rootFields = fields.map((field) => (field.kind === Kind.FIELD ? field.name.value : '…')).join(' ');
  const clippedName = operation?.name?.value.slice(0, nameMax);
  return {
    name: clippedName === undefined ? `graphql ${type}` : `graphql ${type} ${clippedName}`,
    options: {
      attributes: {
        'graphql.operation.type': type,
        ...(clippedName !== undefined && { 'graphql.operation.name': clippedName }),
        'causeway.fields': rootFields.slice(0, nameMax),
      },
    },
  };
}
