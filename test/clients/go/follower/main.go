// A client-go program: follows the ConfigMaps of a writer with an informer, and prints each event with the version of its object,
// until its input ends.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"homeostat.dev/test/clients/steps"
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	clients := kubernetes.NewForConfigOrDie(steps.Config())
	chosen := informers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = "by=writer" })
	factory := informers.NewSharedInformerFactoryWithOptions(clients, 0, informers.WithNamespace(steps.Namespace()), chosen)
	maps := factory.Core().V1().ConfigMaps().Informer()
	_, err := maps.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { say("ADDED", object) },
		UpdateFunc: func(_, object any) { say("MODIFIED", object) },
		DeleteFunc: func(object any) { say("DELETED", object) },
	})
	steps.Check("watch", err)
	factory.Start(ctx.Done())
	steps.Expect("watch", cache.WaitForCacheSync(ctx.Done(), maps.HasSynced), "an informer that is in step with the server")
	steps.Done("watch")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func say(event string, object any) {
	made, isMap := object.(*corev1.ConfigMap)
	steps.Expect("watch", isMap, "a ConfigMap and not %T: the informer lost the watch", object)
	fmt.Println(event, made.Name, made.ResourceVersion)
}
