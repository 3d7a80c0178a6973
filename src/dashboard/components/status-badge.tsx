import { Badge } from '@mantine/core';

/** The color and text of each status. The text has the full meaning, for users who cannot distinguish the colors. */
const statusStyles: Record<string, { color: string; text: string }> = {
  pending: { color: 'blue', text: 'Pending' },
  completed: { color: 'teal', text: 'Completed' },
  expired: { color: 'gray', text: 'Expired' },
  cancelled: { color: 'gray', text: 'Cancelled' },
  created: { color: 'blue', text: 'Not opened' },
  initiated: { color: 'blue', text: 'Opened' },
  charged: { color: 'teal', text: 'Charged' },
  delivered: { color: 'teal', text: 'Delivered' },
  sent: { color: 'teal', text: 'Sent' },
  captured: { color: 'gray', text: 'Not sent' },
  failed: { color: 'red', text: 'Failed' },
  skipped: { color: 'gray', text: 'Not sent' },
  matched: { color: 'teal', text: 'Matched' },
  partial: { color: 'amber', text: 'Partial' },
  over: { color: 'amber', text: 'Overpaid' },
  exception: { color: 'red', text: 'Needs review' },
  duplicate: { color: 'gray', text: 'Duplicate' },
  returned: { color: 'gray', text: 'Returned' },
  outgoing: { color: 'gray', text: 'Outgoing' },
  undone: { color: 'gray', text: 'Undone' },
  active: { color: 'teal', text: 'Active' },
  ending: { color: 'amber', text: 'Expiring' },
  retired: { color: 'gray', text: 'Deactivated' },
  working: { color: 'teal', text: 'Working' },
  failing: { color: 'red', text: 'Failing' },
  off: { color: 'gray', text: 'Disabled' },
  upcoming: { color: 'blue', text: 'Upcoming' },
  signing: { color: 'teal', text: 'Signing' },
  verifying: { color: 'gray', text: 'Verify only' },
  revoked: { color: 'red', text: 'Revoked' },
  subscription_unstarted: { color: 'blue', text: 'Not paid yet' },
  subscription_reversed: { color: 'amber', text: 'Payment reversed' },
  subscription_paused: { color: 'amber', text: 'Paused' },
  plan_active: { color: 'teal', text: 'Open' },
  plan_inactive: { color: 'gray', text: 'Closed' },
  invoice_open: { color: 'blue', text: 'Open' },
  invoice_paid: { color: 'teal', text: 'Paid' },
  invoice_void: { color: 'gray', text: 'Void' },
  statement_queued: { color: 'blue', text: 'Queued' },
  statement_running: { color: 'blue', text: 'Importing' },
  statement_completed: { color: 'teal', text: 'Imported' },
  statement_failed: { color: 'red', text: 'Failed' },
  statement_cancelled: { color: 'gray', text: 'Cancelled' },
  statement_undoing: { color: 'amber', text: 'Undoing' },
  statement_undone: { color: 'gray', text: 'Undone' },
  refund_initiated: { color: 'blue', text: 'Awaiting details' },
  refund_processing: { color: 'amber', text: 'Ready to pay' },
  refund_completed: { color: 'teal', text: 'Completed' },
  refund_cancelled: { color: 'gray', text: 'Cancelled' },
  payout_new: { color: 'blue', text: 'Not exported' },
  payout_exported: { color: 'amber', text: 'Exported' },
  export_queued: { color: 'gray', text: 'Queued' },
  export_running: { color: 'blue', text: 'Preparing' },
  export_completed: { color: 'teal', text: 'Ready' },
  export_failed: { color: 'red', text: 'Failed' },
  two_factor_enabled: { color: 'teal', text: 'On' },
  two_factor_disabled: { color: 'gray', text: 'Off' },
  access_none: { color: 'gray', text: 'No access' },
  access_requested: { color: 'amber', text: 'Requested' },
  access_granted: { color: 'teal', text: 'Granted' },
};

export function StatusBadge({ status }: { status: string }) {
  const { color, text } = statusStyles[status] ?? { color: 'gray', text: status };
  return (
    <Badge color={color} variant="light" tt="none" fw={600} flex="none" miw="max-content">
      {text}
    </Badge>
  );
}
