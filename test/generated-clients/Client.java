import java.util.stream.Collectors;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ChargesApi;
import org.openapitools.client.api.RefundsApi;
import org.openapitools.client.model.Charge;
import org.openapitools.client.model.ChargeHashRequest;
import org.openapitools.client.model.CreateChargeRequest;
import org.openapitools.client.model.CreateRefundRequest;

public class Client {
  public static void main(String[] args) throws ApiException {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("CAUSEWAY_URL"));
    String authorization = System.getenv("CAUSEWAY_AUTHORIZATION");
    client.setRequestInterceptor(request -> request.header("Authorization", authorization));
    ChargesApi charges = new ChargesApi(client);

    Charge paid = create(charges, "ada@example.com");
    Charge other = create(charges, "bo@example.com");
    Boolean cancelled = charges.cancelCharge(other.getId(), null, null, null);
    Charge completed = charges.completeSandboxCharge(paid.getId(), null, null);
    CreateRefundRequest refund =
        new CreateRefundRequest().chargeId(paid.getId()).customerAmount(new java.math.BigDecimal("20.5"));
    var refunded = new RefundsApi(client).createRefund(refund, null, null).getCustomerAmount();
    String statuses =
        charges.listCharges(null, null, null, null, null, null, null, null, null, null, 2, null).getCharges().stream()
            .map(charge -> "\"" + charge.getStatus() + "\"")
            .collect(Collectors.joining(","));
    ChargeHashRequest hashRequest =
        new ChargeHashRequest().merchantAmount(new java.math.BigDecimal(96)).merchantCurrency("HKD");
    int hashLength = charges.createChargeHash(hashRequest, null, null).length();
    System.out.printf(
        "{\"created\":\"%s\",\"cancelled\":%s,\"completed\":\"%s\",\"refunded\":%s,\"statuses\":[%s],\"hashLength\":%d}%n",
        paid.getStatus(), cancelled, completed.getStatus(), refunded, statuses, hashLength);
  }

  private static Charge create(ChargesApi charges, String email) throws ApiException {
    CreateChargeRequest terms =
        new CreateChargeRequest()
            .email(email)
            .merchantAmount(new java.math.BigDecimal(96))
            .merchantCurrency("HKD")
            .method(CreateChargeRequest.MethodEnum.FPS);
    return charges.createCharge(terms, null, null);
  }
}
