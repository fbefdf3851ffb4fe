export { PaymentSuccess } from "./PaymentSuccess";
export { ReceiptPage } from "./ReceiptPage";
