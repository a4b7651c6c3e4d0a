// Package steps is what both programs share: where the server is, and how a step is reported. The matrix test reads
// one line "ok STEP" for each; anything else that is printed is shown when a program fails.
package steps

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

var Widgets = schema.GroupVersionResource{Group: "clients.example.com", Version: "v1", Resource: "widgets"}
var Widget = schema.GroupVersionKind{Group: "clients.example.com", Version: "v1", Kind: "Widget"}

// Config reads KUBECONFIG, as every client does.
func Config() *rest.Config {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	Check("kubeconfig", err)
	return config
}

// Namespace is the one that the matrix test made for this program.
func Namespace() string { return os.Getenv("CLIENT_NAMESPACE") }

func Done(step string) { fmt.Println("ok " + step) }

// Check ends the program when a step failed.
func Check(step string, err error) {
	if err != nil {
		fmt.Printf("failed %s: %v\n", step, err)
		os.Exit(1)
	}
}

// Expect ends the program when something did not turn out as it should.
func Expect(step string, fine bool, format string, values ...any) {
	if !fine {
		Check(step, fmt.Errorf(format, values...))
	}
}

// Eventually asks until the answer is yes, for at most two minutes. Requests wait behind the client's own rate limit, which
// a manager shares with its leader election: asking more often would make it lose its lease.
func Eventually(ctx context.Context, step string, ask func() (bool, error)) {
	deadline := time.Now().Add(120 * time.Second)
	for {
		yes, err := ask()
		if yes {
			return
		}
		if time.Now().After(deadline) {
			Check(step, fmt.Errorf("not within 120 s; last error: %v", err))
		}
		time.Sleep(200 * time.Millisecond)
	}
}
