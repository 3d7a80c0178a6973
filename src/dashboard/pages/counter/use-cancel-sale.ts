import { useState } from 'react';
import { useClient, useMutation } from 'urql';
import { getErrorMessage } from '../../graphql/errors.ts';
import { t } from '../../language/texts.ts';
import { type CounterSaleRow, cancelCounterSaleMutation, pointOfSaleQuery } from './counter-queries.ts';

type SaleStatus = CounterSaleRow['status'];

export const isOpenSale = (status: SaleStatus) => status === 'open' || status === 'paying';

/**
 * Returns an action that cancels a sale, and the status of the sale if the action found that it has ended, because
 * live updates may arrive late. The action resolves to an error message if the sale is still open.
 */
export function useCancelSale(id: string) {
  const client = useClient();
  const [, cancelSale] = useMutation(cancelCounterSaleMutation);
  const [endStatus, setEndStatus] = useState<SaleStatus>();
  const cancel = async () => {
    const response = await cancelSale({ input: { id } });
    const { data } = await client.query(pointOfSaleQuery, {}, { requestPolicy: 'network-only' });
    const status = data?.pointOfSale?.sales.find((sale) => sale.id === id)?.status;
    if (status !== undefined && !isOpenSale(status)) {
      setEndStatus(status);
      return undefined;
    }
    const result = response.data?.cancelCounterSale;
    const isPartlyPaid = result && 'code' in result && result.code === 'charge_not_pending';
    return isPartlyPaid ? t.counter.partOfThePayment : getErrorMessage(response);
  };
  return { cancel, endStatus };
}
