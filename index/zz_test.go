package index_test
import ("testing";"tenure/index";"os";"os/exec";"time")
func TestZZ(t *testing.T){
 nm:=newNamer(7); names:=make([]string,200000); for i:=range names{names[i]=nm.name()}
 dir:=t.TempDir()
 if err:=index.Rebuild(t.Context(),dir,register{names:names},index.Config{});err!=nil{t.Fatal(err)}
 show:=func(){o,_:=exec.Command("sh","-c","ls -la "+dir+"/gen*/store; strings -n 6 "+dir+"/gen*/store/root.bolt | grep -o '[0-9a-f]*.zap' | sort | uniq -c | head").CombinedOutput(); os.Stdout.Write(o)}
 show()
 x,_:=index.Open(dir,index.Config{}); time.Sleep(2*time.Second); show(); x.Close()
}
