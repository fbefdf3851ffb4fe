// A stand-in for Razorpay's checkout: the same constructor and calls, a bare dialog, no money.
(() => {
  const home = new URL(document.currentScript.src).origin;
  const ask = async (what, order) => {
    const answer = await fetch(`${home}/test/${what}`, { method: "POST", body: JSON.stringify({ order }) });
    return answer.json();
  };
  window.Razorpay = class {
    #failed = () => {};
    constructor(options) {
      for (const wanted of ["key", "order_id", "handler"]) {
        if (!options[wanted]) throw new Error(`No ${wanted} passed`);
      }
      this.options = options;
    }
    on(event, listener) {
      if (event === "payment.failed") this.#failed = listener;
    }
    open() {
      const { options } = this;
      const dialog = document.createElement("dialog");
      dialog.setAttribute("aria-label", "Stand-in for Razorpay");
      const say = document.createElement("p");
      say.textContent = `Stand-in for Razorpay: ${options.description}, ${options.prefill?.email ?? ""}`;
      dialog.append(say);
      const button = (name, act) => {
        const made = document.createElement("button");
        made.textContent = name;
        made.onclick = () => void act();
        dialog.append(made);
      };
      const close = () => {
        dialog.close();
        dialog.remove();
      };
      button("Pay now", async () => {
        const done = await ask("pay", options.order_id);
        close();
        options.handler(done);
      });
      button("Let it fail", async () => {
        await ask("fail", options.order_id);
        this.#failed({ error: { description: "Payment failed" } });
      });
      button("Close", () => {
        close();
        options.modal?.ondismiss?.();
      });
      document.body.append(dialog);
      dialog.showModal();
    }
  };
})();
