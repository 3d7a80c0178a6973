import json
import os

from causeway_client import AuthenticatedClient
from causeway_client.api.charges import (
    cancel_charge,
    complete_sandbox_charge,
    create_charge,
    create_charge_hash,
    list_charges,
)
from causeway_client.api.refunds import create_refund
from causeway_client.models import (
    Charge,
    ChargeHashRequest,
    ChargeList,
    CreateChargeRequest,
    CreateChargeRequestMethod,
    CreateRefundRequest,
    Refund,
)

prefix, token = os.environ["CAUSEWAY_AUTHORIZATION"].split(" ")
client = AuthenticatedClient(base_url=os.environ["CAUSEWAY_URL"], token=token, prefix=prefix)


def create(email: str) -> Charge:
    body = CreateChargeRequest(
        email=email,
        merchant_amount=96,
        merchant_currency="HKD",
        method=CreateChargeRequestMethod.FPS,
    )
    charge = create_charge.sync(client=client, body=body)
    assert isinstance(charge, Charge), charge
    return charge


paid = create("ada@example.com")
other = create("bo@example.com")
cancelled = cancel_charge.sync(other.id, client=client)
completed = complete_sandbox_charge.sync(paid.id, client=client)
assert isinstance(completed, Charge), completed
body = CreateRefundRequest(charge_id=paid.id, customer_amount=20.5)
refund = create_refund.sync(client=client, body=body)
assert isinstance(refund, Refund), refund
page = list_charges.sync(client=client, limit=2)
assert isinstance(page, ChargeList), page
hash_request = ChargeHashRequest(merchant_amount=96, merchant_currency="HKD")
charge_hash = create_charge_hash.sync(client=client, body=hash_request)
assert isinstance(charge_hash, str), charge_hash
result = {
    "created": paid.status,
    "cancelled": cancelled,
    "completed": completed.status,
    "refunded": refund.customer_amount,
    "statuses": [charge.status for charge in page.charges],
    "hashLength": len(charge_hash),
}
print(json.dumps(result))
